"""A campaign in which every text tries to break the page: markup, marks that turn the writing, and endless words."""

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Judgment,
    Match,
    PeerAnnotation,
    Pyramid,
    Question,
    QuestionSet,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.scores import Score, ScoreTable

MARKUP = "</script><img src=x onerror=alert(1)>"
TURNED = "\u202eturned \u2067round\u202e"
ENDLESS = "x" * 100_000
TEXTS = {
    "model": f"A ferry burned off Kiel. {MARKUP} Nobody was hurt \N{FAMILY}\u200d.",
    MARKUP: f"A ferry burned. {MARKUP} {{{{7*7}}}} <!-- <script>alert(2)</script>",
    TURNED: f"{TURNED} a ferry burned off Kiel \u0627\u0644\u0639\u0628\u0627\u0631\u0629 \x00\x1b[31m",
    "endless word": ENDLESS,
    "word by word": "ferry " * 20_000,
    "'\"><svg onload=alert(3)>" * 20: "<svg onload=alert(3)> javascript:alert(4)",
    "-=1+1": '=HYPERLINK("http://example.org") a ferry \ud7ff off Kiel',
}
QUESTIONS = (MARKUP, TURNED, "overall")


def hostile_campaign() -> Campaign:
    topics = (MARKUP, TURNED, "t" * 3000)
    peers = [who for who in TEXTS if who != "model"]
    scus = tuple(
        Scu(uid=uid, label=label, contributors=(Contributor(model="model", parts=((start, start + 20),)),))
        for uid, (label, start) in enumerate([(MARKUP, 0), (TURNED, 5), ("y" * 500, 30)], start=1)
    )
    return Campaign(
        name=MARKUP,
        description=TURNED + MARKUP,
        summarizers={who: Summarizer(name=MARKUP) for who in peers[:2]},
        questions=QuestionSet(tuple(Question(name=name, text=MARKUP) for name in QUESTIONS)),
        topics=tuple(Topic(topic=topic, title=MARKUP + TURNED, narrative=MARKUP) for topic in topics),
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind="model" if who == "model" else "peer", text=text)
            for topic in topics
            for who, text in TEXTS.items()
        ),
        judgments=tuple(
            Judgment(topic=topic, summarizer=who, question=question, value=1 + (i * 7 + j * 3 + k) % 5, assessor=MARKUP)
            for i, topic in enumerate(topics)
            for j, who in enumerate(peers)
            for k, question in enumerate(QUESTIONS)
        ),
        pyramids=tuple(Pyramid(topic=topic, models=("model",), scus=scus, annotator=MARKUP) for topic in topics),
        annotations=tuple(
            PeerAnnotation(
                topic=topic,
                summarizer=who,
                annotator=MARKUP,
                scus=tuple(Match(uid=uid, contributors=(((0, 9 + uid),),)) for uid in range(1, 2 + j % 3)),
            )
            for topic in topics
            for j, who in enumerate(peers)
        ),
        imported=ScoreTable.of(
            Score(measure="judge " + MARKUP, topic=topic, summarizer=who, value=float(i + j), note=MARKUP)
            for i, topic in enumerate(topics)
            for j, who in enumerate(peers)
        ),
    )
