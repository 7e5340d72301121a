"""Names of columns in other languages, in the words that the names of columns in English have."""

from __future__ import annotations

__all__ = ["in_english"]

# Word in English -> German, French, Spanish and Japanese.
_WORDS = {
    "start": "beginn anfang ausfallbeginn störungsbeginn début debut inicio comienzo 開始 開始日時"
    " 開始時刻 開始時間",
    "occurred": "eingetreten aufgetreten gemeldet survenu ocurrido 発生 発生日時 発生時刻 発生時間",
    "from": "von desde",
    "end": "ende ausfallende störungsende fin final 終了 終了日時 終了時刻 終了時間",
    "until": "bis jusqu hasta",
    "restored": "behoben wiederhergestellt rétabli résolu restablecido resuelto 復旧 復旧日時"
    " 復旧時刻 復旧時間 回復",
    "time": "zeit uhrzeit zeitpunkt zeitstempel heure horodatage hora 時刻 日時",
    "date": "datum fecha 日付",
    "duration": "dauer ausfalldauer durée duree duración duracion 期間 所要時間",
    "downtime": "ausfallzeit stillstand stillstandszeit indisponibilité 停止時間 障害時間",
    "node": "knoten knotenname rechner rechnername nœud noeud nodo ノード ノード名",
    "host": "hôte ホスト ホスト名",
    "server": "serveur servidor サーバ サーバー サーバー名",
    "machine": "maschine máquina maquina",
    "cause": "ursache ausfallursache fehlerursache causa 原因",
    "reason": "grund raison motivo 理由",
    "failures": "ausfälle störungen pannes fallos averías",
    "failure": "ausfall störung panne fallo avería 障害",
    "event": "ereignis événement evento",
    "status": "zustand état estado 状態",
}
_ENGLISH = {other: word for word, others in _WORDS.items() for other in others.split()}
_BETWEEN = frozenset({"de", "des", "du", "der", "la", "le", "el", "del", "y", "und", "et"})


def in_english(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name, those in other languages in English.

    Examples
    --------
    >>> in_english(("date", "de", "début")), in_english(("node", "de"))
    (('date', 'start'), ('node', 'de'))
    """
    if _ENGLISH.keys().isdisjoint(tokens):
        return tokens
    return tuple(_ENGLISH.get(token, token) for token in tokens if token not in _BETWEEN)
