"""Who took part, as the overviews of the conferences print it: packages have numbers only."""

from __future__ import annotations

from typing import Final, NamedTuple


class Participant(NamedTuple):
    """A system, as its table names it."""

    name: str
    organisation: str


DUC_2006: Final = {
    "1": Participant("Baseline", "NIST"),
    "2": Participant("OGI.OHSU06", "Oregon Health & Science University"),
    "3": Participant("IS_SUM", "Chinese Academy of Sciences"),
    "4": Participant("CLResearch.duc06", "CL Research"),
    "5": Participant("Columbia06", "Columbia University"),
    "6": Participant("FDUSUM", "Fudan University"),
    "7": Participant("ISI-Webcl", "Information Sciences Institute (Zhou)"),
    "8": Participant("JIKD", "IDA CCS and University of Maryland Joint Institute for Knowledge Discovery"),
    "9": Participant("MQ06", "Macquarie University"),
    "10": Participant("MSR", "Microsoft Research"),
    "11": Participant("NKTrust", "NK Trust, Inc."),
    "12": Participant("OnModer", "National University of Singapore"),
    "13": Participant("SFU_v36", "Simon Fraser University"),
    "14": Participant("TUTNII", "Toyohashi University of Technology"),
    "15": Participant("CCS06", "IDA Center for Computing Sciences"),
    "16": Participant("UConnDG", "University of Connecticut"),
    "17": Participant("BCBB-DUC", "National Central University"),
    "18": Participant("UTwente06", "University of Twente"),
    "19": Participant("envQASUM", "Universitat Politècnica de Catalunya"),
    "20": Participant("ERSS06", "University of Karlsruhe and Concordia University"),
    "21": Participant("FSC-wm-pairs=.3", "Fitchburg State College"),
    "22": Participant("HKPolyU", "Hong Kong Polytechnic University"),
    "23": Participant("ICL_SUM", "Peking University"),
    "24": Participant("IIITH-Sum", "International Institute of Information Technology"),
    "25": Participant("IIRG-UCD-2006", "University College Dublin"),
    "26": Participant("ISI-BQFS", "Information Sciences Institute (Daume)"),
    "27": Participant("lcc.duc06", "Language Computer Corporation"),
    "28": Participant("LIA.THALES", "University of Avignon"),
    "29": Participant("MIRACL06", "Larim Unit (MIRACL Laboratory)"),
    "30": Participant("titech-uam", "Tokyo Institute of Technology and Universidad Autonoma de Madrid"),
    "31": Participant("TLR", "Thomson Legal & Regulatory"),
    "32": Participant("UMD_BBN", "University of Maryland and BBN Technologies"),
    "33": Participant("UMich", "University of Michigan"),
    "34": Participant("LAKE06", "University of Salerno"),
    "35": Participant("UofO", "University of Ottawa"),
}
"""By number: Table 1 of H. T. Dang, Overview of DUC 2006."""
