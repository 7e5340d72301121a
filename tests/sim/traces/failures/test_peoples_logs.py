"""Small logs as people have them: what they say by hand, or the refusal."""

import io
import itertools
import re

import numpy as np
import pytest

from sim.traces import Argument, Columns, LogRefused, failure_log

H, D = 3600.0, 86_400.0
# Three outages of 1, 2 and 6 h, which begin 4 and 8 days apart, on two nodes.
STARTS = ("2026-01-01 00:00", "2026-01-05 00:00", "2026-01-13 00:00")
ENDS = ("2026-01-01 01:00", "2026-01-05 02:00", "2026-01-13 06:00")
NODES = ("n1", "n2", "n1")
ALL = (3, 6 * D, 3 * H)
UNENDED = (3, 6 * D, None)


def lines(header, form, starts=STARTS, ends=ENDS):
    """Return a table with a line for each outage."""
    rows = zip(NODES, starts, ends, ("1", "2", "6"), strict=True)
    return header + "\n" + "".join(form.format(n=n, a=a, b=b, h=h) + "\n" for n, a, b, h in rows)


def told(text, *, delimiter=None, merge_within=None, **columns):
    """Return failures, MTBF and MTTR; every row is one of used, merged, filtered and dropped."""
    log = failure_log(
        io.StringIO(text),
        columns=Columns(**columns),
        delimiter=delimiter,
        merge_within=merge_within,
    )
    places = np.concatenate([log.used, log.merged, log.filtered, log.dropped])
    assert len(set(places.tolist())) == places.size == log.rows["records"]
    found = log.uptimes()
    count = found.failures if log.counted else len(log.failures)
    mttr = float(found.repairs.mean()) if found.repairs.size else None
    return count, found.observed / max(found.failures, 1), mttr


def of(*clocks):
    return tuple(f"{start[:10]} {clock}" for start, clock in zip(STARTS, clocks, strict=True))


LATE = of("01:00", "02:00", "06:00")
EVENTS = "time,node,{name}\n" + "".join(
    f"{a},{n},{{down}}\n{b},{n},{{up}}\n" for n, a, b in zip(NODES, STARTS, ENDS, strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        lines("Host,Problem,Time,Recovery time,Status", "{n},ICMP ping,{a},{b},RESOLVED"),
        lines("alertname,instance,startsAt,endsAt,status", "Down,{n}:9100,{a}Z,{b}Z,resolved"),
        lines("Alias,Source,Created At,Closed At,Count", "x,{n},{a},{b},3"),
        lines("notes,node,start,end", "x,{n},{a} CET,{b} CET"),
        lines("node,start,end", "{n},{a}:00 UTC,{b}:00 UTC"),
        lines("node,start,end", "{n},{a}:00 -0500,{b}:00 -0500"),
        lines("node,start,MTTR (h)", "{n},{a},{h}"),
        lines("node;start;downtime_hours", "{n};{a};{h},0"),
        lines("node,start,downtime", "{n},{a},{h} hours and 0 minutes"),
        lines("node,start,downtime", "{n},{a},~{h} hour(s)"),
        lines("node,start,downtime\n,,h", "{n},{a},{h}"),
        lines("node,start,downtime\n-,[UTC],[h]", "{n},{a},{h}"),
        lines("Outages\nnode,start,end", "{n},{a},{b}") + "Total,,9\n",
        lines("node,start,repair_h", "{n},{a},{h}") + "Total,,9\n",
        lines("Server,From,To,Downtime (hh:mm)", "{n},{a},{b},0{h}:00"),
        lines("Alarm time,Clear time,Device", "{a},{b},{n}"),
        lines("time (h),node,TTR (h)", "{a},{n},{h}", starts=("0", "96", "288")),
    ],
)
def test_a_row_of_each_outage_in_the_words_of_many_tools(text):
    assert told(text) == pytest.approx(ALL)


@pytest.mark.parametrize(
    ("starts", "ends"),
    [
        (("01/01/2026 0:00", "05/01/2026 0:00", "13/01/2026 0:00"),
         ("01/01/2026 1:00", "05/01/2026 2:00", "13/01/2026 6:00")),
        (("01/Jan/26 12:00 AM", "05/Jan/26 12:00 AM", "13/Jan/26 12:00 AM"),
         ("01/Jan/26 1:00 AM", "05/Jan/26 2:00 AM", "13/Jan/26 6:00 AM")),
        (("Thu Jan  1 00:00:00 UTC 2026", "Mon Jan  5 00:00:00 UTC 2026",
          "Tue Jan 13 00:00:00 UTC 2026"),
         ("Thu Jan  1 01:00:00 UTC 2026", "Mon Jan  5 02:00:00 UTC 2026",
          "Tue Jan 13 06:00:00 UTC 2026")),
        (("01/Jan/2026:00:00:00 +0000", "05/Jan/2026:00:00:00 +0000", "13/Jan/2026:00:00:00 +0000"),
         ("01/Jan/2026:01:00:00 +0000", "05/Jan/2026:02:00:00 +0000",
          "13/Jan/2026:06:00:00 +0000")),
        (("20260101000000", "20260105000000", "20260113000000"),
         ("20260101010000", "20260105020000", "20260113060000")),
        (("Thu 2026-01-01 00:00", "Mon 2026-01-05 00:00", "Tue 2026-01-13 00:00"), ENDS),
        (("26-01-01 00:00", "26-01-05 00:00", "26-01-13 00:00"), ENDS),
        (("Jan 1 2026 @ 00:00:00.000", "Jan 5 2026 @ 00:00", "Jan 13 2026"), ENDS),
        (("Do 1. Januar 2026 00:00 Uhr", "Mo. 5. Jan. 26 um 00:00", "13. Jänner 2026"), ENDS),
        (("jeu. 1er janv. 2026 0h00", "5 janvier 2026", "mar. 13 janvier 2026 à 00:00"), ENDS),
        (("1 de enero de 2026 a las 0:00", "lun 5 ene 2026", "13-ene-26"), ENDS),
        (("1/1/2026 12:00\u202fAM", "1/5/2026 12:00 a. m.", "1/13/2026 0:00"), ENDS),
    ],
)  # fmt: skip
def test_dates_in_many_dresses(starts, ends):
    assert told(lines("node,start,end", "{n},{a},{b}", starts, ends)) == pytest.approx(ALL)


@pytest.mark.parametrize(
    "header",
    ["date,node,start,end", "date,node,from,to", "date,node,down_time,up_time"],
)
def test_times_of_day_beside_one_date(header):
    rows = ((n, a[:10], a[11:], b[11:]) for n, a, b in zip(NODES, STARTS, ENDS, strict=True))
    text = header + "\n" + "".join(f"{day},{n},{a},{b}\n" for n, day, a, b in rows)
    assert told(text) == pytest.approx(ALL)
    merged = text + ",n2,08:00,11:00\nTotal,,,\n"
    assert told(merged) == pytest.approx((4, (12 * D + 8 * H) / 3, 3 * H))
    midnight = "date,node,start,end\n2026-01-01,n1,23:00,01:00\n2026-01-05,n1,23:00,23:30\n"
    assert told(midnight) == pytest.approx((2, 4 * D, 1.25 * H))


@pytest.mark.parametrize(
    "header",
    [
        "Node,Outage Date,Outage Time,Restore Date,Restore Time",
        "Knoten,Ausfalldatum,Uhrzeit,Ende am,Ende um",
        "Machine,Date panne,Heure panne,Date reprise,Heure de reprise",
        "node,Failed on,failure_time,Close Date,Close Time",
    ],
)
def test_times_of_day_beside_two_dates(header):
    text = header + "\nn1,2026-01-01,22:00,2026-01-02,01:00\nn2,2026-01-05,10:00,2026-01-05,13:00\n"
    assert told(text) == pytest.approx((2, 3 * D + 12 * H, 3 * H))


@pytest.mark.parametrize(
    "header", ["Node,Outage Date,Time,Hours down", "Machine,Date panne,Heure,Temps d'arrêt (h)"]
)
def test_a_time_of_day_counts_where_its_date_has_a_name_of_its_own(header):
    text = header + "\nn1,2026-01-01,22:00,2\nn2,2026-01-05,10:00,4\n"
    assert told(text) == pytest.approx((2, 3 * D + 12 * H, 3 * H))
    french = text.replace(":00,", "h00,")
    assert told(french) == pytest.approx((2, 3 * D + 12 * H, 3 * H))


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("Nodo,Fecha caída,Hora caída,Fecha recuperación,Hora recuperación", {}),
        ("node,x,Down time,y,Up time", {"time": "x", "end": "y"}),
        ("node,Outage Date,Outage Time,Restore Date,Restore Time", {"time": "Outage Date"}),
    ],
)
def test_times_of_day_beside_dates_that_are_named(header, named):
    text = header + "\nn1,2026-01-01,22:00,2026-01-02,01:00\nn2,2026-01-05,10:00,2026-01-05,13:00\n"
    assert told(text, **named) == pytest.approx((2, 3 * D + 12 * H, 3 * H))


@pytest.mark.parametrize("header", ["node,Date,End time,Downtime", "node,Date,Duration,End time"])
def test_a_length_written_as_a_clock_is_no_start(header):
    text = header + "\nn1,2026-01-01,02:00:00,02:00:00\nn2,2026-01-05,02:00:00,02:00:00\n"
    assert told(text)[:2] == pytest.approx((2, 4 * D))


@pytest.mark.parametrize(
    ("name", "down", "up"),
    [
        ("status", "firing", "resolved"),
        ("status", "open", "closed"),
        ("Status", "Alert", "OK"),
        ("alert_type", "error", "success"),
        ("Direction", "Asserted", "Deasserted"),
        ("event", "crash", "boot"),
        ("event", "disconnected", "connected"),
        ("Title", "[Triggered] host down", "[Recovered] host down"),
        ("State", "Alerting", "Normal"),
        ("power", "off", "on"),
        ("type", "trigger_log_entry", "resolve_log_entry"),
        ("HistorySummary", "Alarm updated from OK to ALARM", "Alarm updated from ALARM to OK"),
        ("new_state", "DOWN", "UP"),
    ],
)
def test_a_row_of_each_begin_and_end(name, down, up):
    assert told(EVENTS.format(name=name, down=down, up=up)) == pytest.approx(ALL)


def test_the_state_after_is_told_from_the_state_before():
    text = EVENTS.format(name="old_state,new_state", down="UP,DOWN", up="DOWN,UP")
    assert told(text) == pytest.approx(ALL)


def test_the_column_that_tells_down_from_up_is_the_kind():
    text = EVENTS.format(name="type,reason", down="Normal,NodeNotReady", up="Normal,NodeReady")
    assert told(text) == pytest.approx(ALL)


def test_what_has_become_of_a_report_is_no_event():
    text = lines("time,node,status", "{a},{n},closed").replace("13 00:00,n1,closed", "13,n1,open")
    assert told(text) == pytest.approx(UNENDED)


def test_a_named_value_begins_an_outage_and_the_rest_ends_it():
    text = EVENTS.format(name="event", down="link lost", up="link found")
    assert told(text, kind="event", state=("link lost",)) == pytest.approx(ALL)


@pytest.mark.parametrize("flag", ["unplanned", "not planned", "unscheduled"])
def test_a_flag_of_unplanned_work(flag):
    text = lines(f"node,start,end,{flag}", "{n},{a},{b},1") + "n2,2026-01-07,2026-01-08,0\n"
    assert told(text) == pytest.approx(ALL)


@pytest.mark.parametrize(
    ("header", "unplanned", "planned"),
    [
        ("Outage Type", "Unscheduled", "Scheduled"),
        ("notes", "crash", "preventive maintenance"),
        ("Maintenance type", "Corrective maintenance", "Preventive"),
        ("eventTypeCategory", "issue", "scheduledChange"),
        ("impact", "major", "maintenance"),
        ("motif", "panne mémoire", "arrêt planifié"),
        ("geplant", "nein", "ja"),
        ("Wartung", "N", "J"),
        ("planned", "FALSCH", "WAHR"),
        ("planifié", "FAUX", "VRAI"),
        ("Planned", "☐", "☑"),
        ("Issue Type", "Incident", "Change"),
        ("Issue Type", "Incident", "Service Request"),
        ("state", "Closed", "Closed Canceled"),
        ("Resolution", "Fixed", "Duplicate"),
        ("category", "hardware", "false alarm"),
    ],
)
def test_words_for_planned_work(header, unplanned, planned):
    text = lines(f"node,start,end,{header}", f"{{n}},{{a}},{{b}},{unplanned}")
    assert told(text + f"n2,2026-01-07,2026-01-08,{planned}\n") == pytest.approx(ALL)


@pytest.mark.parametrize(
    ("name", "true", "false"),
    [
        ("Resolution", "Fixed", "Won't Do"),
        ("impact", "partial outage", "no impact"),
        ("false_alarm", "no", "yes"),
        ("是否计划", "否", "是"),
        ("種別", "障害", "計画停止"),
        ("Art", "Ausfall", "geplante Wartung"),
    ],
)
def test_what_was_not_done_or_lost_nothing_is_no_failure(name, true, false):
    text = lines(f"node,start,end,{name}", "{n},{a},{b}," + true)
    assert told(f"{text}n2,2026-01-07,2026-01-08,{false}\n") == pytest.approx(ALL)


def test_a_state_between_down_and_up_is_no_failure():
    between = "n2,booting,2026-01-05 03:00,2026-01-05 04:00\nn1,up,2026-01-02,2026-01-12\n"
    assert told(lines("node,state,from,to", "{n},DOWN,{a},{b}") + between) == pytest.approx(ALL)


def test_two_columns_may_say_that_a_row_is_no_failure():
    text = lines("node,type,status,start,end", "{n},Incident,Closed,{a},{b}")
    text += "n2,Task,Closed,2026-01-07,2026-01-08\nn2,Incident,Canceled,2026-01-08,2026-01-09\n"
    assert told(text + "n1,Change,Closed,2026-01-09,2026-01-10\n") == pytest.approx(ALL)
    pending = "2026-01-04 23:00,n2,Pending\n2026-01-07,n2,Pending\n2026-01-07 01:00,n2,OK\n"
    assert told(EVENTS.format(name="state", down="Alerting", up="OK") + pending) == pytest.approx(
        ALL
    )


def test_what_is_acknowledged_is_as_it_was():
    text = EVENTS.format(name="type", down="trigger", up="resolve")
    text += "2026-01-01 00:05,n1,acknowledge\n2026-01-13 00:05,n1,acknowledge\n"
    assert told(text) == pytest.approx(ALL)


def test_days_of_a_calendar_and_codes_that_are_0_are_no_failures():
    days = "".join(
        f"2026-01-{day:02},{ {1: 1, 5: 2, 13: 6}.get(day, 0) }\n" for day in range(1, 15)
    )
    assert told("date,hours down\n" + days) == pytest.approx(ALL)
    zero = lines("node,start,downtime_min", "{n},{a},0")
    assert told(zero) == pytest.approx((3, 6 * D, 0.0))
    samples = lines("Timestamp,Hostname,XID error", "{a},{n},79") + "2026-01-06 00:00,n1,0\n"
    assert told(samples + "2026-01-07 00:00,n1,0\n") == pytest.approx(UNENDED)


def test_a_word_that_is_neither_down_nor_up_ends_no_outage():
    text = EVENTS.format(name="event", down="PROBLEM", up="RECOVERY")
    assert told(text + "2026-01-13 01:00,n1,ACKNOWLEDGEMENT\n") == pytest.approx(ALL)


def test_a_repair_ends_before_its_ticket_is_closed():
    text = lines("created_at,closed_at,resolved_at,host", "{a},2026-02-01,{b},{n}")
    assert told(text) == pytest.approx(ALL)
    text = lines("Created,Close Time,Resolve Time,host", "{a},2026-02-01,{b},{n}")
    assert told(text) == pytest.approx(ALL)
    assert told(lines("Created,Close Time,host", "{a},{b},{n}")) == pytest.approx(ALL)


@pytest.mark.parametrize(
    "text",
    [
        lines("Knoten;Beginn;Ende;Ursache", "{n};{a};{b};Netz"),
        lines("Date d'ouverture;Date de résolution;Statut;nœud", "{a};{b};Clos;{n}"),
        "Rechner;Datum;Von;Bis;Dauer\nn1;01.01.26;0:00;1:00;1:00\n"
        "n2;05.01.26;0:00;2:00;2:00\nn1;13.01.26;0:00;6:00;6:00\n",
        lines("Ursache;Ausfallbeginn;Ausfallende;Rechnername", "Netz;{a};{b};{n}"),
        lines("Datum;Dauer (Stunden);Rechner", "{a};{h};{n}"),
        lines("Datum;Ausfalldauer (Std.);Rechner", "{a};{h},0;{n}"),
        lines("Knoten;Beginn;Dauer", "{n};{a};0 Tage {h} Std."),
        lines("Host;Zeit;Wiederherstellungszeit;Dauer", "{n};{a};{b};"),
        lines("Serveur;Début;Durée", "{n};{a};{h}h00"),
        lines("Serveur;Début;Fin;Durée", "{n};{a};{b};0 jour {h} h 00"),
        lines("Serveur;Début;Durée", "{n};{a};{h} heure 0 minutes"),
        lines("Knoten,Ausfall,", "{n},{a},{b}").replace("\n", "\n,von,bis\n", 1),
        lines("Anlage;von;bis;Bemerkung", "{n};{a};{b};Netz")
        + "n1;07.01.2026;08.01.2026;Wartung\n",
        lines("Nœud,Date de début,Date de fin,Raison", "{n},{a},{b},réseau"),
        lines("Causa,Nodo,Inicio,Fin", "red,{n},{a},{b}"),
        lines("id | Datum | Zeit | Dauer (Stunden)", "1 | {a:.10} | 00:00:00 | {h}"),
        lines("Servidor,Fecha,Duración (horas)", "{n},{a},{h}"),
        lines("Nodo;Data inizio guasto;Data fine guasto;Causa", "{n};{a};{b};rete"),
        lines("Nodo;Inizio;Durata (ore)", "{n};{a};{h}"),
        lines("Machine;Begin;Duur (uur)", "{n};{a};{h},0"),
        lines("Servidor;Data/Hora Início;Data/Hora Fim;Motivo", "{n};{a};{b};rede"),
        lines("Machine;Begin storing;Einde storing;Oorzaak", "{n};{a};{b};netwerk"),
        lines("ノード,開始日時,復旧日時,原因", "{n},{a},{b},電源"),
        lines("节点,故障时间,恢复时间,原因", "{n},{a},{b},电源"),
        lines("主机名,故障时间,停机时长(分钟)", "{n},{a},{h}")
        .replace(",1\n", ",60\n")
        .replace(",2\n", ",120\n")
        .replace(",6\n", ",360\n"),
        lines("主机名,日期,停机时长", "{n},{a},{h}小时0分钟"),
        EVENTS.format(name="事件", down="故障", up="故障恢复"),
        EVENTS.format(name="Status", down="Ausfall", up="Betrieb"),
        EVENTS.format(name="Ereignis", down="nicht erreichbar", up="wieder verfügbar"),
        EVENTS.format(name="événement", down="panne", up="rétabli"),
        EVENTS.format(name="state", down="offline", up="job-exclusive"),
    ],
)
def test_names_of_columns_in_other_languages(text):
    assert told(text) == pytest.approx(ALL)


JAPANESE = lines("ノード,発生日時,復旧日時,原因", "機{n},{a},{b},電源の障害")
CHINESE = lines("节点,故障时间,恢复时间,原因", "机{n},{a},{b},电源故障")
KOREAN = lines("node,time,end,cause", "노드{n},{a},{b},전원 장애로 서버 교체")


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (JAPANESE, "cp932", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (CHINESE, "gb18030", "GB18030"),
        (KOREAN, "euc_kr", "EUC-KR"),
        (lines("Knoten;Beginn;Ende;Größe", "{n};{a};{b};Gerät heiß"), "latin-1", "latin-1"),
        (lines("Nœud;Début;Fin;Raison", "{n};{a};{b};réseau coupé"), "cp1252", "Windows-1252"),
    ],
)
def test_other_encodings_are_told_by_what_makes_words(text, encoding, name):
    log = failure_log(io.BytesIO(text.encode(encoding)))
    assert log.failures.equals(failure_log(io.BytesIO(text.encode())).failures)
    assert log.report.counts[name.lower()] == 1


@pytest.mark.parametrize(
    ("cause", "encoding"),
    [
        *(("전원", "euc_kr"), ("内存", "gb18030"), ("障害", "euc_jp"), ("記憶體故障", "big5")),
        *(("питание", "koi8_r"), ("питание", "iso8859_5"), ("питание", "cp866")),
        *(("źródło pamięci", "iso8859_2"), ("výpadek paměti", "cp1250"), ("Lüfter", "cp850")),
    ],
)
@pytest.mark.parametrize("role", ["{n},{a},{b},{cause}", "{cause}{n},{a},{b},x"])
def test_words_that_an_encoding_makes_others_of_are_refused(cause, encoding, role):
    text = lines("node,time,end,cause", role.replace("{cause}", cause))
    with pytest.raises(ValueError, match=r"got what reads .*: iconv -f its-encoding"):
        failure_log(io.BytesIO(text.encode(encoding)))
    unused = text.replace("cause\n", "colour\n")
    if "{cause}{n}" not in role:
        log = failure_log(io.BytesIO(unused.encode(encoding)))
        assert log.failures.equals(failure_log(io.StringIO(unused)).failures)


def test_a_text_of_no_known_encoding_is_refused_with_the_remedy():
    text = "Größe;Höhe\nn1;2\n".encode("latin-1")
    with pytest.raises(ValueError, match="iconv -f its-encoding -t UTF-8"):
        failure_log(io.BytesIO(text))


def test_columns_of_no_known_name_are_found_by_the_names_that_are_given():
    text = lines("solmu;alku;loppu", "{n};{a};{b}")
    assert told(text, time="alku", end="loppu", node="solmu") == pytest.approx(ALL)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (lines("solmu;alku;loppu", "{n};{a};{b}"), 'time "alku", end "loppu", node "solmu"'),
        (lines("loppu,alku", "{b},{a}"), 'time "alku", end "loppu"'),
    ],
)
def test_columns_of_no_known_name_are_told_by_their_values(text, says):
    assert told(text) == pytest.approx(ALL)
    log = failure_log(io.StringIO(text))
    assert any(f"told by their values: {says}" in words for words in log.report.words)
    assert log.understood.startswith('time "alku"; end "loppu"')


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (lines("solmu;alku;loppu;vika", "{n};{a};{b};x9"), "columns.node names it"),
        (lines("alku,loppu", "{a},{b}", ends=("2025-12-01", *ENDS[1:])), "columns.time names"),
    ],
)
def test_columns_of_no_known_name_are_refused_where_values_do_not_tell(text, says):
    with pytest.raises(ValueError, match=says):
        told(text)


ALIGNED = "{n:<6}  {a:<19}  {b:<19}  power supply"


@pytest.mark.parametrize(
    "text",
    [
        lines("node    down                 up                   cause", ALIGNED),
        lines("NODE    Went Down            Back Up              Reason", ALIGNED),
    ],
)
def test_a_table_whose_columns_stand_below_their_names(text):
    assert told(text) == pytest.approx(ALL)
    assert failure_log(io.StringIO(text)).failures["cause"].tolist() == ["power supply"] * 3
    worse = text + 20 * text.split("\n", 1)[1] + "node-with-a-long-name 2026-02-01 2026-02-02 x\n"
    assert failure_log(io.StringIO(worse)).report.counts["wrong-columns"] == 1


@pytest.mark.parametrize(
    "text",
    [
        lines("node down up", "{n} {a} {b}"),
        lines("node   down up reason", "{n}  {a}   {b} power supply"),
        lines("node start end", '{n} "{a}" "{b}"'),
        lines("node start end", "{n} {a}:00 UTC {b}:00 UTC"),
        lines("node date time downtime_hours", "{n}-of-{n} {a} {h}"),
        lines("node start TTR[h]", "{n} {a:.10} {h}"),
        "".join(lines("", "{n} {a} {b}").splitlines(keepends=True)[1:]),
        EVENTS.format(name="event", down="DOWN", up="UP").replace(",", " "),
        "".join(EVENTS.format(name="", down="DOWN", up="UP").splitlines(keepends=True)[1:]),
    ],
)
def test_a_table_with_any_blanks_between_its_fields(text):
    assert told(text) == pytest.approx(ALL)


def test_a_number_among_dates_is_no_time():
    text = lines("node,down,up", "{n},{a},{b}") + "\nTotal,3,\n"
    assert told(text) == pytest.approx(ALL)
    assert failure_log(io.StringIO(text)).dropped.tolist() == [6]
    text = lines("服务器,宕机时间,恢复时间", "{n},{a},{b}")
    in_chinese = text.replace("2026-01-", "2026年1月").replace(" 0", "日 0").replace("日 0", "日0")
    assert told(in_chinese) == pytest.approx(ALL)


def test_lists_without_a_date_are_no_table_with_blanks():
    assert failure_log(io.StringIO("0 c0-0 service up\n1 c0-1 service up\n")).dropped.size == 2


def test_times_alone_are_no_table_with_blanks():
    assert told("".join(f"{start}:00\n" for start in STARTS)) == pytest.approx(UNENDED)
    text = "Jan 1 2026\nJan 5 2026\nJan 13 2026\n"
    assert told(text) == pytest.approx(UNENDED)


SINFO = "Not responding       slurm     2026-11-20T03:04:05 n[001-003]\n"
PBS = "01/05/2026 08:00:00;0004;PBS_Server;Node;n1;node down: communication closed\n"
SEL = "1 | 11/27/2026 | 03:04:05 | Power Supply #0x51 | Failure detected | Asserted\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("REASON               USER      TIMESTAMP           NODELIST\n" + SINFO, "sacctmgr show"),
        (SINFO + "Kill task failed     root      Unknown             n7\n", "sacctmgr show"),
        (SINFO.replace("slurm    ", "slurm(64030)").replace(" n[", " drain* n["), "sacctmgr show"),
        ("bad dimm,ann,2026-11-20T03:04:05,n1\n,root,2026-11-21T03:04:05,n2\n", "sacctmgr show"),
        ("REASON|TIMESTAMP|NODELIST\nbad dimm|2026-11-20T03:04:05|n1\n" * 2, "sacctmgr show"),
        (
            "bad dimm|bob|2026-11-20T03:04:05|n1\ndown|eve|2026-11-21T03:04:05|n[2-3]\n",
            "sacctmgr show",
        ),
        ("NodeName=n1 Arch=x86_64\n   State=DOWN\n   Reason=x [a@2026-11-22T10:00]\n", "sacctmgr"),
        ("NODELIST   NODES PARTITION STATE\nn1             1       cpu idle\n", "sacctmgr show"),
        ("[2026-01-05T08:00:00.123] error: Nodes n1 not responding\n", "sacctmgr show event"),
        ("Jan  5 08:00:01 n1 systemd[1]: Started Session 5 of user root.\n", "Kernel panic"),
        (SEL + SEL.replace("1 ", "2 ", 1).replace("27", "28"), "ipmitool sel elist | awk"),
        (SEL.replace(" | ", "|").replace("1|", " 1a|", 1), "ipmitool sel elist | awk"),
        ("[1767600000] LOG VERSION: 2.0\n[1767600060] HOST ALERT: n1;DOWN;HARD;3;x\n", "awk -F"),
        ("reboot   system boot  5.14.0-70.el9    Wed Jan 21 10:00   still running\n", "last -x"),
        (f" -1 {'1f' * 16} Mon 2026-01-05 09:00:00 UTC—Sun 2026-01-11 08:00:00 UTC\n", "last -x"),
        ("LAST SEEN   TYPE     REASON         OBJECT\n4h   Normal   NodeReady   n/n1\n", "kubectl"),
        ('{"items": [{"involvedObject": {"name": "n1"}, "reason": "NodeReady"}]}', "jq -r"),
        ('{"AlarmHistoryItems": [{"AlarmName": "n1"}]}', "aws cloudwatch"),
        ("node.up 1767599000 1 host=n1\nnode.up 1767600000 0 host=n1\n", "print $2"),
        ("n1: system boot  2026-01-01 08:00\nn2: system boot  2026-01-05 08:00\n", "last -x"),
        ("NAME   STATUS     ROLES    AGE\nn1     NotReady   <none>   10d\n", "kubectl"),
        ("1,01/05/2026,08:00:00,Memory #0x12,Correctable ECC,Asserted\n", "ipmitool sel elist"),
        (PBS, "awk -F';'"),
        ("<html><table><tr><th>node</th></tr></table></html>\n", "pandas.read_html"),
        ("\nJob: 9.srv\n\n01/05/2026 08:00:00  S    Job requeued\n", "server_priv/accounting"),
        ("***\nsdiag output at Mon Jan 05 08:00:00 2026\n***\nJobs failed: 3\n", "sacctmgr show"),
        ("[2026-01-05 08:00:00,1] torch.distributed.elastic: failed (exitcode: 1)\n", "awk 'BEGIN"),
        ("hi\nE0105 08:00:00.1 9 torch/distributed/elastic/x.py] failed (exitcode\n", "train.log"),
        ("n1\n     state = down,offline\n     np = 32\n\nn2\n     state = free\n", "server_logs"),
        ("n1                   down,offline\nn7                   down\n", "server_logs"),
        (
            "HOST_NAME          STATUS       JL/U    MAX\nhostB              unavail      -\n",
            "lsb.acct",
        ),
        ("Summary of time in seconds spent in various states:\nJOBID   USER\n", "lsb.acct"),
        ("=====\nqname        all.q\nhostname     n1\n", "qacct -j | awk"),
        ("001 (123.000.000) 2026-01-05 08:10:00 Job executing on host: <a>\n...\n", "awk 'BEGIN"),
        (
            "HOST_NAME,TIME_DOWN,PERCENT_TIME_DOWN\nn1,13000,0.5\nn2,2600,0.1\n",
            "export the outages",
        ),
    ],
)
def test_lists_that_are_no_logs_of_failures_are_refused_with_the_command_that_makes_one(text, says):
    with pytest.raises(ValueError, match=r"^line 1: ") as caught:
        told(text)
    assert says in str(caught.value)


def test_failures_with_who_told_of_them_are_no_list_of_today():
    rows = "disk,root,2026-11-20T03:04:05,n1\nfan,ann,2026-11-24T03:04:05,n2\n"
    assert told(f"cause,reporter,time,node\n{rows}") == (2, 4 * D, None)
    assert told(rows.replace("root", "bob")) == (2, 4 * D, None)


@pytest.mark.parametrize(
    ("name", "numbers", "sampled"),
    [
        ("value", (64, 63, 63, 64, 64), True),
        ("temperature", (64.5, 63.1, 63.2, 64.0, 66.1), True),
        ("running", (64, 63, 64, 63, 62), True),
        ("ticket", (811, 815, 820, 821, 1903), False),
    ],
)
def test_samples_of_a_number_at_uneven_steps_are_no_failures(name, numbers, sampled):
    clocks = ("00:00", "00:05", "00:11", "00:15", "02:21")
    rows = (f"2026-01-01 {clock},{number}" for clock, number in zip(clocks, numbers, strict=True))
    text = "\n".join((f"time,{name}", *rows))
    if not sampled:
        assert told(text)[0] == 5
        return
    with pytest.raises(ValueError, match=f"samples must say which are failures, got only {name}"):
        told(text)
    assert told(text, cause=name)[0] == 5


@pytest.mark.parametrize(
    ("up", "node"),
    [("1", "n0{}"), ("up", "node-{}"), ("1", 'up{{instance=""n{}:9100"", job=""node""}}')],
)
def test_a_column_of_states_for_each_node_is_refused_with_what_makes_rows(up, node):
    down = {"1": "0", "up": "down"}[up]
    states = {1: [up, down, up, up, down, up], 2: [up, up, up, down, up, up]}
    days = [f"2026-01-{day:02}" for day in range(1, 7)]
    names = {n: '"' + node.format(n) + '"' for n in states}
    wide = ",".join(["Time", *names.values(), "spare7"]) + "\n"
    wide += "".join(f"{d},{a},{b},9\n" for d, a, b in zip(days, *states.values(), strict=True))
    with pytest.raises(ValueError, match=r"a column for each.* pandas.*\.melt\('Time'"):
        told(wide)
    long = f"Time,node,{'up' if up == '1' else 'state'}\n"
    long += "".join(f"{d},{names[n]},{states[n][k]}\n" for n in states for k, d in enumerate(days))
    assert told(long)[0] == 3
    assert told(wide, kind="spare7", state=("9",))[0] == 6


def test_an_active_alert_is_no_node_that_is_up():
    assert told(EVENTS.format(name="status", down="active", up="resolved")) == pytest.approx(ALL)
    assert told(EVENTS.format(name="status", down="down", up="active")) == pytest.approx(ALL)
    text = lines("instance,startsAt,endsAt,status", "{n},{a},{b},resolved")
    text += "n2,2026-01-25 00:00,0001-01-01 00:00,active\n"
    assert told(text) == pytest.approx((4, 8 * D, 3 * H))


def test_one_service_of_all_incidents_is_no_node():
    header = "description,{},created_on,resolved_on\n"
    text = (
        "n1 is down,P1,2026-01-01T00:00,2026-01-01T04:00\n"
        "n2 is down,P1,2026-01-01T02:00,2026-01-01T06:00\n"
        "n1 is down,P1,2026-01-09T00:00,2026-01-09T04:00\n"
    )
    for name in ("service_id", "Service"):
        assert told(header.format(name) + text) == pytest.approx((3, 4 * D, 4 * H))
    of_each = text.replace("n2 is down,P1", "n2 is down,P2")
    assert told(header.format("Service") + of_each) == pytest.approx((3, 4 * D, 4 * H))
    assert told(header.format("host") + text)[0] == 2


def test_seconds_since_1970_by_the_names_of_exports():
    times = [np.array(each, dtype="datetime64[s]").astype(int) for each in (STARTS, ENDS)]
    text = lines("nid,ts_start,ts_end,failure_class", "{n},{a},{b},HW", *times)
    assert told(text.replace("n1", "1").replace("n2", "2")) == pytest.approx(ALL)
    assert told("t_seconds,node\n0,a\n86400,b\n259200,a\n")[:2] == (3, 1.5 * D)
    text = "id,ts,host,evt\n" + "".join(
        f"{a},{a}.5,{n},DOWN\n{b},{b}.5,{n},UP\n" for a, b, n in zip(*times, NODES, strict=True)
    )
    assert told(text) == pytest.approx(ALL)


def test_failed_in_other_languages():
    text = lines("date,node,failed", "{a},{n},ja") + "2026-01-06,n1,nein\n2026-01-07,n2,nein\n"
    assert told(text) == pytest.approx(UNENDED)


@pytest.mark.parametrize(
    ("text", "count", "mtbf"),
    [
        ("Year,Failures\n2019,12\n2020,9\n2021,15\n", 36, 1096 / 36 * D),
        ("Jahr;Ausfälle\n2025;10\n2026;10\n", 20, 36.5 * D),
        ("Month,Failures\nNov-25,3\nDec-25,2\nJan-26,5\nFeb-26,2\n", 12, 10 * D),
        ("Month,Failures\nDec-25,2\nJan-26,4\n", 6, 62 / 6 * D),
        ("month,failures\n12/2025,3\n01/2026,1\n02/2026,5\n", 9, 10 * D),
        ("quarter,failures\n2025Q1,3\n2025Q2,2\n2025Q3,4\n", 9, 273 / 9 * D),
        ("week,node,count\n2026-01-05,a,2\n2026-01-12,a,0\n2026-01-19,b,2\n", 4, 126 * H),
        ("date,kind,failures\n2026-01-01,planned,9\n2026-01-01,fault,1\n2026-01-02,fault,1\n",
         2, 24 * H),
        ("month,failures\n2026-01,4\n2026-02,2\n2026-03,3\n", 9, 10 * D),
        ("Quarter,Failures\n2025-Q1,4\nQ2 2025,2\n2025-Q3,3\n", 9, 273 / 9 * D),
        ("Monat;Ausfälle\nJanuar 2026;4\nFebr. 2026;2\nMärz 2026;3\n", 9, 10 * D),
        ("date,failures\n2026-01-01,3\n2026-01-02,0\n2026-01-03,5\nTotal,8\n", 8, 9 * H),
        ("date,cause,failures\n2026-01-01,a,1\n2026-01-01,b,2\n2026-01-02,a,1\n", 4, 12 * H),
        ("date,node,failures\n2026-01-01,a,2\n2026-01-01,b,0\n2026-01-02,a,0\n2026-01-02,b,2\n",
         4, 12 * H),
        ("date,failures\n2026-01-01,3\n2026-01-02,1\n2026-01-05,1\n", 5, D),
        ('date,failures\n2026-01-01,"1,200"\n2026-01-02,"1,200"\n', 2400, 72.0),
        ("date,failures\n2026-01-01,3\n2026-01-02,2\n2026-01-02,2\n", 5, 9.6 * H),
        ("Week;Number of outages\n2026-W01;3\n2026-W02;0\n2026-W03;2\n", 5, 21 / 5 * D),
        ("Datum;Anzahl Ausfälle\n13.01.2026;1\n14.01.2026;3\n15.01.2026;0\n", 4, 18 * H),
        ("Mois;Nombre de pannes;Nombre de nœuds\n2026-01;3;9\n2026-02;6;9\n", 9, 59 / 9 * D),
        ("month,Unplanned outages,Planned outages\n2026-01,3,1\n2026-02,6,0\n", 9, 59 / 9 * D),
        ("time,count\n2026-01-01 00:00,3\n2026-01-01 01:00,0\n2026-01-01 02:00,1\n", 4, 0.75 * H),
    ],
)  # fmt: skip
def test_numbers_of_failures(text, count, mtbf):
    assert told(text) == pytest.approx((count, mtbf, None))


def test_planned_work_in_counts_cannot_be_asked_for():
    text = "date,kind,failures\n2026-01-01,planned,9\n2026-01-02,fault,1\n2026-01-03,fault,1\n"
    with pytest.raises(ValueError, match=r"^planned must be left out for a log of counts"):
        failure_log(io.StringIO(text), planned=True)


def test_the_hours_for_which_a_node_was_up_are_no_share_of_a_time():
    text = lines("node,crash_time,uptime_hours", "{n},{a},9{h}")
    assert told(text) == pytest.approx(UNENDED)


@pytest.mark.parametrize("blank", [" ", "\xa0", "\u202f"])
def test_thousands_that_a_blank_marks(blank):
    text = lines("node;start;durée (s)", "{n};{a};{h}000,0").replace("000,0", f"{blank}000,0")
    assert told(text) == pytest.approx((3, 6 * D, 3000.0))


def test_marks_of_decimals_and_thousands():
    comma = lines("node;start;downtime_h", "{n};{a};{h},0")
    assert told(comma) == pytest.approx(ALL)
    mixed = "node;start;downtime_s\nn1;2026-01-01;3.600,0\nn2;2026-01-05;7.200,0\n"
    assert told(mixed) == pytest.approx((2, 4 * D, 1.5 * H))
    quoted = mixed.replace("3.600,0", '"3,600"').replace("7.200,0", '"7,200"').replace(";", ",")
    assert told(quoted) == pytest.approx((2, 4 * D, 1.5 * H))


@pytest.mark.parametrize(("one", "other"), [("n1", "N1"), ("n1.site.org", "n1"), ("n1", "n1.a.b")])
def test_one_node_by_two_names(one, other):
    touching = f"{one},2026-01-01 00:00,2026-01-01 00:30\n{other},2026-01-01 00:30,2026-01-01 01:00"
    text = f"node,start,end\n{touching}\nn2,2026-01-05,2026-01-05 02:00\n"
    assert told(text) == pytest.approx((2, 4 * D, 1.5 * H))


@pytest.mark.parametrize(
    ("several", "nodes"),
    [
        ("n[01-03]", ("n01", "n02", "n03")),
        ('"n[1,3-4],gpu1"', ("n1", "n3", "n4", "gpu1")),
        ("n1; n2", ("n1", "n2")),
        ("n09 to n11", ("n09", "n10", "n11")),
        ("rack1-2", ("rack1-2",)),
    ],
)
def test_a_list_of_nodes_is_a_row_of_each(several, nodes):
    last = f"{nodes[0]},2026-01-09,2026-01-10\n"
    first = ("2026-01-01 08:00", "2026-01-01 09:00")
    rows = f"node,start,end\n{{}}{last}"
    one = failure_log(io.StringIO(rows.format(f"{several},{first[0]},{first[1]}\n")))
    each = rows.format("".join(f"{node},{first[0]},{first[1]}\n" for node in nodes))
    assert one.rows == {"records": 2, "used": 2, "merged": 0, "filtered": 0, "dropped": 0}
    other = failure_log(io.StringIO(each))
    columns = ["time", "node", "repair"]
    assert one.failures[columns].equals(other.failures[columns])
    events = f"time,node,event\n{first[0]},{several},down\n{first[1]},{several},up\n"
    again = failure_log(io.StringIO(events)).failures
    assert again[columns].equals(other.failures[columns][:-1])
    slurm = f"NodeName|TimeStart|TimeEnd|State\n{several}|{first[0]}|{first[1]}|DOWN*\n"
    if '"' not in slurm:
        assert failure_log(io.StringIO(slurm)).failures[columns].equals(again[columns])


def test_rows_a_second_apart_are_one_outage_in_a_table_with_dates():
    text = "node,start,end\nn1,2026-01-01 00:00,2026-01-01 00:29:59\n"
    text += "n1,2026-01-01 00:30:00,2026-01-01 01:00\nn2,2026-01-05,2026-01-05 02:00\n"
    assert told(text) == pytest.approx((2, 4 * D, 1.5 * H))
    assert told(text, merge_within=0.0)[0] == 3


AMONG = "time,event,part\n2026-01-01 00:00,{a}\n2026-01-01 01:00,{b}\n2026-01-01 02:00,{c}\n"
AMONG += "2026-01-01 04:00,{d}\n2026-01-09 00:00,{a}\n2026-01-09 01:00,{c}\n"


def told_again(minutes, *, unevenly=0, times=4):
    """Return what a monitor says of nodes that are down, `times` over each."""
    late = np.random.default_rng(1).integers(-60 * unevenly, 60 * unevenly + 1, (3, times))
    late[:, 0] = 0
    late += 60 * minutes * np.arange(times)
    begins = np.array(STARTS, dtype="datetime64[s]")[:, None]
    told = begins + late.astype("timedelta64[s]")
    return "time,node,message\n" + "".join(f"{at},n1,node down\n" for at in told.ravel())


NO_UP = "time,node,event\n2026-01-01,n1,down\n2026-01-05,n1,down\n2026-01-05 03:00,n1,up\n"


TWO_READINGS = [
    (lines("node,start,downtime", "{n},{a},{h}"), "columns.unit s or columns.unit min decides"),
    (lines("node,start,downtime", "{n},{a},{h},5").replace(",5", ".5"), "1.5 s or 1.5 min"),
    (
        lines("node,start,repair", "{n},{a},{h}:00"),
        "columns.unit h or columns.unit min decides",
    ),
    (lines("node,start,downtime", "{n},{a},{h}").replace(",2\n", ",2h\n"), "which may be 1 s"),
    (lines("node;start;down_s", "{n};{a};{h}.600"), "1.600, which may be 1600 or 1.600"),
    ("node,start,end\nn1,46023,46023.1\nn2,46027,46027.2\n", "days of a spreadsheet"),
    ("node;down;up\nn1;46023,5;46023,6\nn2;46027,1;46027,2\n", "days of a spreadsheet"),
    ("time,node\n1767225600,n1\n1767571200000,n2\n", "must be in one unit"),
    ("time,duration\n1767225600000,3600\n1767571200000,7200\n", "must say its unit"),
    ("node,down\nn1,01/02/2026\nn2,05/02/2026\n", "date_order month-first or date_order"),
    ("node,down,up\nn1,2026-01-01T01:00:00+01:00,2026-01-01T02:00\n", "columns.timezone"),
    ("node,down,up,outage\nn1,2026-01-01,2026-01-02,1 h\n", "columns.repair"),
    (EVENTS.format(name="event", down="left", up="joined in"), "columns.cause 'event'"),
    (EVENTS.format(name="level", down="ERROR", up="INFO"), "takes rows of that one"),
    (
        EVENTS.format(name="type,status", down="Ready,False", up="Ready,Unknown"),
        "columns.state",
    ),
    (
        "node,start,end\nn1,2025-10-26T02:50,2025-10-26T02:10\n",
        "columns.timezone names their zone",
    ),
    (
        "month,disk,network\n2026-01,3,1\n2026-02,1,1\n2026-03,2,0\n",
        "must say which are failures",
    ),
    (
        EVENTS.format(name="state", down="2", up="0"),
        "which of its values are failures, got 2 or 0",
    ),
    (EVENTS.format(name="exit_code", down="0", up="137"), "takes rows of that one"),
    (lines("node,stopped,restarted", "{n},{a},{b}"), "columns.time 'stopped' columns.end"),
    ("date,availability\n2026-01-01,99\n2026-01-02,98\n2026-01-03,9\n", "columns.cause"),
    ("2026-01-01 00:00,1\n2026-01-01 01:00,0\n2026-01-01 02:00,0\n", "must say what 1 means"),
    ("time,up_nodes\n2026-01-01,64\n2026-01-02 03:00,62\n2026-01-07,64\n", "only up_nodes"),
    ("time,node,error,count\n2026-01-01,n1,ECC,2\n2026-01-03,n2,ECC,1\n", "columns.cause"),
    ("created,alias,count\n2026-01-01 01:00,a,1\n2026-01-03 07:00,b,9\n", "columns.cause"),
    ("month,disk,net\n2026-01,3,1\n2026-02,1,1\n2026-03,2,0\n", "the name failures a column"),
    ("Month,MTBF (h)\n2026-01,120\n2026-02,110\n", "perfmodel interval --mtbf"),
    ("failure,ttf_h,ttr_h\n1,120,2\n2,96,1\n3,200,4\n", "perfmodel fit --lifetimes"),
    ("Year,Node\n2024,n1\n2024,n2\n2026,n1\n", "must have a date or count failures"),
    ("Year,Month,Failures\n2026,1,3\n2026,2,2\n", "write them in one, as 2026-01"),
    (told_again(5), "merge_within 330s takes those for one"),
    (told_again(5, unevenly=1, times=6), "which may be one told again: merge_within 4"),
    (told_again(240), "merge_within 15840s takes those for one"),
    (AMONG.format(a="n1 down,", b="n2 down,", c="n1 up,", d="n2 up,"), "write it in a column"),
    (AMONG.format(a="down,1", b="down,2", c="up,1", d="up,2"), "columns.node names it"),
    ("node,state,since\nn1,down,2026-01-01\nn2,up,2026-01-03\n", "a row of each"),
    ("time,event\n1,on battery\n2,battery off\n3,on battery\n9,battery off\n", "columns.state"),
    (NO_UP, "merge_within 0s counts it as another failure, merge_within 5d as the same"),
]


@pytest.mark.parametrize(("text", "says"), TWO_READINGS)
def test_two_readings_are_refused_with_what_decides(text, says):
    with pytest.raises(ValueError, match=r"^line [0-9]+: ") as caught:
        told(text)
    assert says in str(caught.value)


def test_days_of_a_spreadsheet_are_dates_once_they_are_said_to_be_days():
    for text in [t for t, said in TWO_READINGS if said == "days of a spreadsheet"]:
        log = failure_log(io.StringIO(text), columns=Columns(unit="d"))
        first = np.datetime64("2026-01-01") + np.timedelta64(12 * (";" in text), "h")
        assert log.failures["time"].min() == first.astype("datetime64[s]").astype(float)


def ways(refusal):
    """Return what a refusal names to decide: for each way, arguments and the values behind them."""
    found, open_way = [], False
    for part, text in itertools.pairwise(refusal.parts):
        if not isinstance(part, Argument) or not isinstance(text, str):
            continue
        value = re.match(r" ('[^']*'|[^ ;,]+)", text)
        if value is None or value[1] in ("names", "takes", "with", "must", "name=NAME"):
            continue
        if not open_way:
            found.append({})
        found[-1][part.name.removeprefix("columns.")] = value[1].strip("'")
        open_way = text.strip() == value[1]
    return found


def refusal(text, **given):
    """Return why a text with failures is not read, nothing where it is."""
    try:
        assert told(text, **given)[0] > 0
    except ValueError as error:
        return str(error)
    return ""


def taken(name, value):
    if name == "merge_within":
        return float(value[:-1]) * {"s": 1.0, "d": D}[value[-1]]
    return (value,) if name == "state" else value


@pytest.mark.parametrize("text", [text for text, _ in TWO_READINGS])
def test_what_a_refusal_names_decides(text):
    with pytest.raises(ValueError, match=r"^line [0-9]+: ") as caught:
        told(text)
    for way in ways(caught.value) if isinstance(caught.value, LogRefused) else ():
        given = {name: taken(name, value) for name, value in way.items()}
        assert refusal(text, **given) == "", way


def test_a_word_that_names_no_node_tells_the_nodes_that_go_down_and_up_among_each_other():
    text = AMONG.format(a="down,r-1", b="down,r-2", c="up,r-1", d="up,r-2")
    assert told(text) == pytest.approx((3, 4 * D, 2 * H))
    text = AMONG.format(a="down,1", b="down,2", c="up,1", d="up,2")
    assert told(text, node="part") == pytest.approx((3, 4 * D, 2 * H))


def test_a_message_that_is_told_again_soon_or_at_one_step_is_one_outage():
    both = zip(STARTS, ENDS, strict=True)
    text = "".join(f"{a},n1,down\n{a[:-1]}1,n1,down\n{b},n1,up\n" for a, b in both)
    assert told("time,node,event\n" + text) == pytest.approx(ALL)
    hours = "".join(f"{day[:10]} {hour:02}:00,n1,down\n" for day in STARTS for hour in range(5))
    ups = "".join(f"{day[:10]} 05:00,n1,up\n" for day in STARTS)
    assert told("time,node,event\n" + hours + ups) == pytest.approx((3, 6 * D, 5 * H))
    assert told(told_again(5), merge_within=600.0) == pytest.approx(UNENDED)
    assert told(told_again(5), merge_within=0.0)[0] == 12
    uneven = told_again(5, unevenly=1, times=6)
    assert told(uneven, merge_within=480.0) == pytest.approx(UNENDED)


def test_a_node_that_fails_often_at_random_is_not_taken_for_a_message_told_again():
    rng = np.random.default_rng(2)
    for _ in range(50):
        times = np.cumsum(60.0 + rng.exponential(1800.0, 40)).round()
        text = "time,node\n" + "".join(f"{1.7e9 + time:.0f},n1\n" for time in times)
        assert told(text)[0] == 40


def test_conditions_of_kubernetes():
    text = EVENTS.format(name="type,status", down="Ready,Unknown", up="Ready,True")
    text = text.replace("time", "lastTransitionTime") + "2026-01-02,n1,DiskPressure,False\n"
    assert told(text) == pytest.approx(ALL)


@pytest.mark.parametrize("text", ["corrected", "Correctable ECC"])
def test_errors_that_were_corrected_are_no_failures(text):
    rows = lines("time,node,type", "{a},{n},Uncorrected") + f"2026-01-06,n1,{text}\n"
    assert told(rows) == pytest.approx(UNENDED)


def test_a_cause_after_a_state_does_not_change_it():
    down, up = "node down: connection closed", "node up"
    assert told(EVENTS.format(name="event", down=down, up=up)) == pytest.approx(ALL)


def test_years_of_two_digits_that_may_be_days_are_refused():
    assert told("node,date\nn1,05-01-24\nn2,05-01-25\nn1,05-01-26\n")[1] == 365 * D
    with pytest.raises(ValueError, match="got 26-01-11, which may be of 2026 or of 2011"):
        told("node,date\nn1,26-01-11\nn2,26-01-21\nn1,26-01-25\n")


@pytest.mark.parametrize("reason", ["exclusive use", "normal wear", "fan speed change"])
def test_reasons_do_not_say_that_a_node_was_up(reason):
    text = lines("node,start,end,reason", "{n},{a},{b},{reason}".replace("{reason}", reason))
    assert told(text) == pytest.approx(ALL)
    assert told(text.replace(reason, "psu", 1)) == pytest.approx(ALL)
    planned = text.replace(reason, "psu", 1) + "n2,2026-01-07,2026-01-08,planned\n"
    assert told(planned) == pytest.approx(ALL)


def test_what_decides_does():
    minutes = lines("node,start,downtime", "{n},{a},{h}")
    assert told(minutes, unit="h") == pytest.approx(ALL)
    clock = lines("node,start,repair", "{n},{a},{h}:00")
    assert told(clock, unit="h") == pytest.approx(ALL)
    assert told(clock, unit="min") == pytest.approx((3, 6 * D, 180.0))
    dates = "node,down\nn1,01/02/2026\nn2,05/02/2026\n"
    assert told(dates, date_order="day-first") == pytest.approx((2, 4 * D, None))
    assert told(dates, date_order="month-first") == pytest.approx((2, 120 * D, None))
    both = "node,down,up,outage\nn1,2026-01-01,2026-01-02,1 h\nn1,2026-01-05,2026-01-06,1 h\n"
    assert told(both, repair="outage") == pytest.approx((2, 4 * D, H))
    assert told(both, end="up") == pytest.approx((2, 4 * D, D))
    assert told(NO_UP, merge_within=0.0) == pytest.approx((2, 4 * D, 3 * H))
    assert told(NO_UP, merge_within=5 * D)[0] == 1
    events = EVENTS.format(name="event", down="left", up="joined in")
    assert told(events, cause="event")[0] == 6
    assert told(events, kind="event", state=("left",)) == pytest.approx(ALL)


@pytest.mark.parametrize("mark", ["|", ","])
def test_events_of_slurm_without_their_header(mark):
    rows = lines("", "c1|{n}|{a}|{b}|DOWN*|x|slurm").strip().replace(" 0", "T0")
    more = "\nc1|n2|2026-01-07T00:00|2026-01-08T00:00|MAINT|x|root\n"
    assert told((rows + more).replace("|", mark)) == pytest.approx(ALL)


def repairs_of(text):
    log = failure_log(io.StringIO(text))
    return len(log.failures), log.failures["repair"].tolist(), log.understood


def test_names_that_a_spreadsheet_merged_stand_before_those_below():
    text = "Outages,,,,\n,Start,,End,\nNode,Date,Time,Date,Time\n"
    rows = ["n1,2026-01-05,08:00,2026-01-05,10:00", "n2,2026-01-15,23:00,2026-01-16,01:00"]
    count, repairs, words = repairs_of(text + "\n".join(rows))
    assert (count, repairs) == (2, [7200.0, 7200.0])
    assert words.startswith('time "Start Date" with "Start Time"; end "End Date" with "End Time"')


def test_a_start_that_was_never_set_is_no_failure():
    text = lines("node,start,end", "{n},{a},{b}")
    for unset in ("1970-01-01 00:00", "1970-01-01T01:00:00+01:00", "1900-01-01", "0001-01-01"):
        zoned = text.replace(":00\n", ":00Z\n").replace(":00,", ":00Z,") if "+" in unset else text
        log = failure_log(io.StringIO(f"{zoned}n2,{unset},{unset}\n"))
        assert (len(log.failures), log.dropped.tolist()) == (3, [5])
        assert "never set" in log.report.words[-1]


@pytest.mark.parametrize("last", [",3d 4h", "9999-12-31 00:00,", "2099-12-31 23:59:59,"])
def test_the_length_so_far_of_what_is_not_over_is_no_repair(last):
    rows = ["n1,2026-01-03 04:00,2026-01-03 05:00,1h", "n2,2026-01-13 04:00,2026-01-13 06:00,2h"]
    text = "\n".join(["host,time,recovery time,duration", *rows, f"n1,2026-01-23 00:00,{last}"])
    count, repairs, _ = repairs_of(text)
    assert (count, repairs[:2]) == (3, [3600.0, 7200.0])
    assert np.isnan(repairs[2])


def test_a_row_says_how_long_or_until_when_where_others_do_either():
    rows = ["n1,2026-01-03 04:00,2026-01-03 05:00,", "n2,2026-01-13 04:00,,2h"]
    assert repairs_of("\n".join(["host,time,end,duration", *rows]))[1] == [3600.0, 7200.0]


def test_systems_without_nodes_are_told_with_what_takes_them_for_nodes():
    text = lines("System,Down,Up", "{n},{a},{b}")
    said = failure_log(io.StringIO(text)).understood
    assert said is not None
    assert 'each "System" by itself (if they are nodes, name it so)' in said
    assert told(text, node="System") == pytest.approx(ALL)
    one = failure_log(io.StringIO(text.replace("n2", "n1"))).understood
    assert one is not None
    assert "by itself" not in one


def test_nodes_of_one_name_in_two_systems_are_two():
    rows = [
        "a,n1,2026-01-01,2026-01-02",
        "b,n1,2026-01-01,2026-01-02",
        "a,n2,2026-01-09,2026-01-10",
    ]
    count, _, words = repairs_of("\n".join(["cluster,node,down,up", *rows]))
    assert count == 3
    assert "3 failures of 3 nodes" in words


@pytest.mark.parametrize(
    ("text", "count", "repairs"),
    [
        ("#,host,down since,back up\n2,n1,{b}\n1,n2,{a}\n", 2, [3600.0, 7200.0]),
        ("Nr;Erstellt;Geschlossen;Rechner;Grund\n1;{a};n1;x\n2;{b};n2;Wartung\n", 1, [3600.0]),
        ("event,date-time,duration\nDown,{a},1h\nUp,{b},9h\nPaused,{b},1h\n", 1, [3600.0]),
    ],
)
def test_exports_of_tickets_and_monitors(text, count, repairs):
    mark = ";" if ";" in text else ","
    moments = [("2026-01-05 08:00", "2026-01-05 09:00"), ("2026-01-15 08:00", "2026-01-15 10:00")]
    both = [moment[0] if "event" in text else mark.join(moment) for moment in moments]
    assert repairs_of(text.format(a=both[0], b=both[1]))[:2] == (count, repairs)


@pytest.mark.parametrize("form", ["Jan {}{} 08:15:10", "Jan  {}{} 08:15", "{} Jan{} 08:15:10.250"])
def test_an_hour_is_no_year(form):
    rows = "time,node\n" + "".join(f"{form.format(day, '{}')},n1\n" for day in (11, 15, 23))
    log = failure_log(io.StringIO(rows.replace("{}", "")))
    assert len(log.failures) == 0
    assert "without its year, which sed -E 's/([A-Z][a-z]{2}( +[" in log.report.words[-1]
    assert told(rows.replace("{}", " 2026")) == pytest.approx((3, 6 * D, None))


RUNS = ["2026-01-01,2026-01-05", "2026-01-05 01:00,2026-01-13", "2026-01-13 01:00,2026-01-20"]


def test_runs_that_end_in_failures_are_no_outages():
    text = "\n".join(["start,end,reason", *(f"{row},node hang" for row in RUNS)])
    with pytest.raises(ValueError, match=r"^line 2: rows must be outages, .* columns.time 'end'"):
        told(text)
    assert told(text, time="end") == pytest.approx((3, 7.5 * D, None))
    assert told(text, end="end")[0] == 3
    pieces = "n1,2026-01-01,2026-01-03\nn1,2026-01-03,2026-01-04\nn1,2026-01-04,2026-01-09\n"
    later = "n2,2026-01-11,2026-01-12\nn1,2026-01-21,2026-01-22\n"
    assert told("node,start,end\n" + pieces + later)[:2] == pytest.approx((3, 10 * D))


def test_nodes_that_came_up_before_they_went_down_have_no_repairs():
    text = "\n".join(["up,down", *RUNS])
    assert told(text) == pytest.approx((3, 7.5 * D, None))
    log = failure_log(io.StringIO(text))
    assert any("when it came back is not known" in words for words in log.report.words)
