"""Which public logs can be fetched by name: where they are published, and under which terms."""

from __future__ import annotations

from dataclasses import dataclass

from ..._checks import shown


@dataclass(frozen=True, slots=True)
class Entry:
    """One published log.

    `path` is its place below the folder of traces, `size` what is downloaded [bytes, None where
    unknown]. `sha256` is that of the decompressed content, which survives recompression by the
    publisher; None where no copy was at hand to take it from.
    """

    name: str
    about: str
    path: str
    url: str
    size: int | None
    sha256: str | None
    terms: str


_ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload"
_PWA_TERMS = (
    "Parallel Workloads Archive: acknowledge the contributor named in the header and cite "
    "Feitelson, Tsafrir, Krakov, JPDC 74(10), 2014"
)
_SDSC_TERMS = (
    f"{_PWA_TERMS}; (c) 2000 The Regents of the University of California: educational, research "
    "and non-profit use, notice kept"
)


# Of logs in the archive: folder, name and bytes, None where unknown; and their SHA-256.
_PWA: tuple[tuple[str, str, int | None], ...] = (
    ("l_anl_int", "ANL-Intrepid-2009-1", None),
    ("l_kth_sp2", "KTH-SP2-1996-2.1-cln", None),
    ("l_cea_curie", "CEA-Curie-2011-2.1-cln", 3629411),
    ("l_ctc_sp2", "CTC-SP2-1996-3.1-cln", 1487336),
    ("l_hpc2n", "HPC2N-2002-2.2-cln", 2997773),
    ("l_lanl_cm5", "LANL-CM5-1994-4.1-cln", 2138864),
    ("l_lcg", "LCG-2005-1", 2397852),
    ("l_llnl_atlas", "LLNL-Atlas-2006-2.1-cln", None),
    ("l_llnl_thunder", "LLNL-Thunder-2007-1.1-cln", 1312559),
    ("l_nasa_ipsc", "NASA-iPSC-1993-3.1-cln", 207976),
    ("l_osc", "OSC-Clust-2000-3.1-cln", 536437),
    ("l_ricc", "RICC-2010-2", 3673009),
    ("l_sdsc_blue", "SDSC-BLUE-2000-4.2-cln", 4070091),
    ("l_sdsc_ds", "SDSC-DS-2004-2.1-cln", 1639097),
    ("l_sdsc_par", "SDSC-Par-1996-3.1-cln", 497990),
    ("l_sdsc_sp2", "SDSC-SP2-1998-4.2-cln", 1205570),
    ("l_sandia_ross", "Sandia-Ross-2001-1.1-cln", 1151095),
    ("l_metacentrum", "METACENTRUM-2009-2", 1514544),
)
_SHA256 = {
    "CEA-Curie-2011-2.1-cln": "b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d",
    "CTC-SP2-1996-3.1-cln": "8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
    "HPC2N-2002-2.2-cln": "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa",
    "LANL-CM5-1994-4.1-cln": "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
    "LCG-2005-1": "f8e60cbd08ca990bdd39effc3b3787d7e60539419e2345661c0d5c3b4fa60f4e",
    "LLNL-Atlas-2006-2.1-cln": "8b3aaab739fa0bda8abaccc37c207d0b19d9d147b19e7f47a1641133a56fd07f",
    "LLNL-Thunder-2007-1.1-cln": "aad5a3120a6adf0342d46fb4830e022121cdfbd3de9ecdd9cf10145b8864b6a5",
    "NASA-iPSC-1993-3.1-cln": "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
    "OSC-Clust-2000-3.1-cln": "0ed54b81ccb10b11fbead557af8a37dd135e07e27756f1016c80ebceb7c8f79a",
    "RICC-2010-2": "22bd213c68f9cbaf3cb0e7d43cae3c89230b49590a4cf77b76113a027b673987",
    "SDSC-BLUE-2000-4.2-cln": "13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e",
    "SDSC-DS-2004-2.1-cln": "76814a412fa415e68ffb8cc0ae801c870988e5577e60275588050332f6b1e690",
    "SDSC-Par-1996-3.1-cln": "fcb46fa6462b7ac460963025749f604f28b2e813101edd082a720842e80a7aa8",
    "SDSC-SP2-1998-4.2-cln": "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
    "Sandia-Ross-2001-1.1-cln": "acee6b96aa76f815d9a6a81ee6d3e3026f462b6e0c340f9f4ef465e05b3c22b3",
    "METACENTRUM-2009-2": "ea27bbff7260e450f06ffce0fa0401b591e878a16afa1d289d9d14d28a20e4da",
}
_PLACES_OF = {"ANL-Intrepid-2009-1": "intrepid", "METACENTRUM-2009-2": "metacentrum-2009"}
_TERMS_OF = {
    "ANL-Intrepid-2009-1": f"{_PWA_TERMS}; Tang et al., IPDPS 2011",
    "METACENTRUM-2009-2": f"{_PWA_TERMS}; Klusacek, Rudova, JSSPP 2010",
    **dict.fromkeys(("SDSC-DS-2004-2.1-cln", "SDSC-SP2-1998-4.2-cln"), _SDSC_TERMS),
}


def _pwa(folder: str, name: str, size: int | None) -> Entry:
    return Entry(
        name=name,
        about="job log, SWF",
        path=f"jobs/{_PLACES_OF.get(name, 'pwa')}/{name}.swf.gz",
        url=f"{_ARCHIVE}/{folder}/{name}.swf.gz",
        size=size,
        sha256=_SHA256.get(name),
        terms=_TERMS_OF.get(name, _PWA_TERMS),
    )


_ESEUR = "Derek-Jones/ESEUR-code-data/1a49d102b38680531cb1d79ca131510b11b64e06"
_ALEA = "anjanasasidharan/ALEA/49638df0444f209cb5944d6b84311421e3ed6c1e"


def _github(
    *, name: str, about: str, path: str, address: str, size: int, sha256: str, terms: str
) -> Entry:
    url = f"https://raw.githubusercontent.com/{address}"
    return Entry(name, about, path, url, size, sha256, terms)


CATALOGUE = (
    *(_pwa(*row) for row in _PWA),
    _github(
        name="lanl-failures",
        about="failure log, CSV",
        path="failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv.xz",
        address=f"{_ESEUR}/reliability/LA-UR-05-7318-failure-data-1996-2005.csv.xz",
        size=253144,
        sha256="516c88f0fa07b9d4c8b0d68974e8569f2ec2c98d6eefba372c12e7350bd2d175",
        terms="LA-UR-05-7318: acknowledge Los Alamos; Schroeder, Gibson, DSN 2006",
    ),
    _github(
        name="grid5000-availability",
        about="availability, FTA table",
        path="failures/grid5000-fta/event_trace.tab.xz",
        address=f"{_ESEUR}/hardware/grid5k-fail/event_trace.tab.xz",
        size=2238764,
        sha256="1d0183565c4407bb055783cd0ec440a0d3cffa6cae851c044d9cb5cace31e855",
        terms="Failure Trace Archive: cite Kondo et al., CCGrid 2010, and Iosup et al., Grid 2007",
    ),
    _github(
        name="bluegene-l-failures",
        about="distinct failures, RAS",
        path="failures/bluegene-l/Best.any-loc.xz",
        address=f"{_ESEUR}/data-check/Blue-Gene.log/Best.any-loc.xz",
        size=14136,
        sha256="85e27888e8d8ede53f8cc33ef76dabdf51af5d598e29775a27ae32f9166944fb",
        terms="cite Oliner, Stearley, DSN 2007",
    ),
    _github(
        name="mira-events",
        about="grouped fatal events, RAS",
        path="failures/mira/fatal-events-2013-2018.cor0.0",
        address=(
            "disheng222/LogAider/"
            "56d47907ddd79a150d3ed4daf6ade2fea8478fc5/"
            "example-output/similarity-based-filter/no-Maint-filter-interval=240s_43200s_key1/"
            "allEvents.txt-0.0.cor"
        ),
        size=3584839,
        sha256="0e13e0b54277abb5254edaabfc5d9499a4059428aadda8490f6c00b6003d3598",
        terms="LogAider licence; cite Di et al., CCGrid 2017, TPDS 2018, DSN 2019",
    ),
    _github(
        name="infinitehbd-faults",
        about="server faults, JSON",
        path="failures/infinitehbd-gpu-servers/fault_trace.json",
        address="stepfun-ai/InfiniteHBD-Trace/7aacdc8c3d2352c5b784bc0ea31756e1620daed1/fault_trace.json",
        size=339053,
        sha256="5871b881b341c9526223c025eda3a9bd2f0f875cf8d53441688ccd953e11b80d",
        terms="Apache-2.0; cite InfiniteHBD, SIGCOMM 2025",
    ),
    _github(
        name="metacentrum-2009-failures",
        about="failure log",
        path="jobs/metacentrum-2009/metacentrum.mwf.failures",
        address=f"{_ALEA}/data-set/metacentrum.mwf.failures",
        size=12664,
        sha256="8084fee7a36c47312bffb5138f53edd87baa80051c53cea23a1b6313d0d431e9",
        terms="not stated (Alea simulator); Klusacek, Rudova, JSSPP 2010",
    ),
    _github(
        name="metacentrum-2009-machines",
        about="machine description",
        path="jobs/metacentrum-2009/metacentrum.machines.mwf",
        address=f"{_ALEA}/data-set/metacentrum-org.mwf",
        size=5135,
        sha256="82e77b6cc338d9d5a4e65e605de7538bc809a4503e034e1ac28bc6fea499b801",
        terms="not stated (Alea simulator); Klusacek, Rudova, JSSPP 2010",
    ),
    _github(
        name="wagap-2013",
        about="job log, SWF, dialect placement",
        path="jobs/metacentrum-2013/wagap-2013.swf",
        address="aleasimulator/alea/a3315f00d9e0c9e984b6094624703230dd8bf7cb/Alea/data-set/wagap-2013.swf",
        size=2418846,
        sha256="bf5c1cc69915f2d5d26c579f69e206513ceff9bd60e6c4b112182da0c6183ed7",
        terms="cite Klusacek et al., PPAM 2019",
    ),
    _github(
        name="mira-2018",
        about="job log, SWF, dialect walltime-in-6",
        path="jobs/mira/mira-2018-aug-dec.swf",
        address=(
            "thembow/backfil-rlscheduler-pytorch/"
            "372c17728fedee91962a0de928b90bb92975cf0c/data/mira.swf"
        ),
        size=1905259,
        sha256="6e3a9f5667c42ae7dfbb120643efc6483761f15e42374215529151b5d28625ac",
        terms="MIT (repository); ALCF public data",
    ),
    _github(
        name="theta-2022",
        about="job log, SWF",
        path="jobs/theta/theta_2022.swf",
        address=(
            "mochiiten9158/cqsimplus/"
            "28827afcd083d0ec6baae36d93a4633fab5931a1/"
            "cqsim_original/data/InputFiles/theta_2022.swf"
        ),
        size=1717430,
        sha256="2ef7be60df7e5abc671b838cc5dbf4dc212320eaddbbf5c4a4f5db592ea20cae",
        terms="MIT (repository); ALCF public data",
    ),
    _github(
        name="UniLu-Gaia-2014-1",
        about="job log, SWF",
        path="jobs/pwa/UniLu-Gaia-2014-1.swf",
        address=(
            "xiaopupeng/CQSim-REDUX/"
            "0ea7e972714cb2a3581c5d9d9315c97aa971f47e/data/InputCQSim/UniLu-Gaia-2014-1.swf"
        ),
        size=3550378,
        sha256="e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
        terms=_PWA_TERMS,
    ),
    _github(
        name="intrepid-first1200",
        about="beginning of a job log, SWF",
        path="jobs/intrepid/ANL-Intrepid-2009-first1200.swf",
        address=(
            "summonersRift/ppt-sched/"
            "6bb3daa133863899737a3980eedeed7771c18fac/multiapp/data/ANL-Intrepid-2009-1200"
        ),
        size=106207,
        sha256="594c102ef71415a9b7fe008d153ab1c7119e18986a3413dce30230546542a44f",
        terms=f"{_PWA_TERMS}; Tang et al., IPDPS 2011",
    ),
    _github(
        name="intrepid-machine",
        about="machine description, Cobalt XML",
        path="machines/intrepid/simulator.xml",
        address="ido/cobalt/45b9961985226dba575e96ab5762c09138c20621/tools/local_sim/simulator.xml",
        size=1273307,
        sha256="b7b1d4780303483df28593b62420a8317b26c42d5d47f604767c0dc9d7bc460e",
        terms="Cobalt open source licence, (c) 2017 UChicago Argonne, LLC",
    ),
)


def entry(name: str) -> Entry:
    """Return the entry called `name`, or raise ValueError naming those there are.

    Parameters
    ----------
    name : str
        Of a log in `CATALOGUE`.

    Returns
    -------
    Entry
        Where it is published, and its checksum.

    Raises
    ------
    ValueError
        If there is no such log.
    """
    for one in CATALOGUE:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in CATALOGUE)
    raise ValueError(f"name must be one of {names}, got {shown(name)}")
