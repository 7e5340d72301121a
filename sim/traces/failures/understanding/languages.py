"""Names of columns in other languages, in the words that the names of columns in English have."""

from __future__ import annotations

# Word in English -> German, French, Spanish, Italian, Portuguese, Dutch, Japanese and Chinese.
_WORDS = {
    "start": "beginn anfang ausfallbeginn störungsbeginn début debut inicio comienzo inizio início"
    " 開始 開始日時 開始時刻 開始時間 开始 开始时间 开始日期 起始时间 故障开始时间 故障开始",
    "occurred": "eingetreten aufgetreten gemeldet survenu ocurrido 発生 発生日時 発生時刻 発生時間"
    " 发生时间 故障时间 故障发生时间 告警时间 宕机时间 發生時間",
    "created": "erstellt eröffnet eröffnung ouvert ouverture créé création abierto apertura creado",
    "closed": "geschlossen schließung fermé clôturé clôture fermeture cerrado cierre",
    "from": "von desde",
    "end": "ende ausfallende störungsende fin final fine fim einde 終了 終了日時 終了時刻 終了時間"
    " 结束 结束时间 结束日期 故障结束时间 故障结束 結束時間",
    "until": "bis jusqu hasta",
    "restored": "behoben wiederhergestellt wiederherstellung wiederherstellungszeit erledigt gelöst"
    " rétabli résolu résolution reprise restablecido resuelto recuperación"
    " 復旧 復旧日時 復旧時刻 復旧時間 回復 恢复 恢复时间 故障恢复时间 修复时间 解决时间 恢復時間",
    "time": "zeit uhrzeit zeitpunkt zeitstempel heure temps horodatage hora 時刻 日時"
    " 时间 时刻 時間",
    "date": "datum fecha 日付 日期",
    "year": "jahr année annee año anno ano 年 年份 年度",
    "month": "monat mois mes mese mês 月 月份",
    "week": "woche kw kalenderwoche semaine semana settimana",
    "duration": "dauer ausfalldauer durée duree duración duracion durata duração duur 期間 所要時間"
    " 时长 持续时间 故障时长 持續時間",
    "downtime": "ausfallzeit stillstand stillstandszeit indisponibilité 停止時間 障害時間"
    " 停机时间 停机时长 宕机时长 中断时长 停機時間",
    "node": "knoten knotenname rechner rechnername nœud noeud nodo ノード ノード名"
    " 节点 节点名 节点名称 节点编号 節點",
    "host": "hôte ホスト ホスト名 主机 主机名 主机名称 主機",
    "server": "serveur servidor サーバ サーバー サーバー名 服务器 服务器名称 伺服器",
    "machine": "maschine máquina maquina 机器",
    "cause": "ursache ausfallursache fehlerursache causa oorzaak 原因 故障原因",
    "reason": "grund raison motivo motif 理由",
    "failures": "ausfälle störungen pannes fallos averías guasti falhas storingen 故障数 故障次数",
    "number_of": "anzahl nombre número aantal",
    "outage": "arrêt arret storing",
    "failure": "ausfall störung panne caída caida fallo avería guasto falha 障害 故障",
    "nodes": "knotenzahl knotenanzahl rechnerzahl nœuds noeuds nodos nodi ノード数 节点数 服务器数",
    "planned": "geplant planmäßig planifié planifiée planificado programado planejado"
    " 计划 計画 是否计划",
    "unplanned": "ungeplant",
    "maintenance": "wartung mantenimiento manutenzione entretien",
    "type": "typ art tipo soort 種別 種類 区分 类型 类别 類型",
    "comment": "bemerkung bemerkungen kommentar anmerkung commentaire comentario 备注 備考",
    "event": "ereignis événement evento 事件",
    "status": "zustand état estado 状態 状态 狀態",
}
_ENGLISH = {other: word for word, others in _WORDS.items() for other in others.split()}
_BETWEEN = frozenset({"de", "des", "du", "der", "la", "le", "el", "del", "y", "und", "et", "d"})


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
