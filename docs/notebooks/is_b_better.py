"""Is B better than A? A notebook for those who build summarizers: `marimo edit is_b_better.py`."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Is B better than A?")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md("""
    # Is B better than A?

    Two systems have summarized the same topics. Which is better, and how certain is that? Replace `frame` with your own
    data frame: one row per summary, with an id, the name of the system, the prediction and the reference.
    """)
    return (mo,)


@app.cell
def _():
    import pandas

    import pyramidion
    from pyramidion.campaign import plain

    demo = pyramidion.load("demo")
    references = {}
    for summary in demo.summaries:
        if summary.kind == "model":
            references.setdefault(summary.topic, []).append(plain(summary.text))
    frame = pandas.DataFrame(
        {
            "id": summary.topic,
            "system": summary.summarizer,
            "prediction": plain(summary.text),
            "references": references[summary.topic],
        }
        for summary in demo.summaries
        if summary.kind == "peer" and summary.summarizer in ("16", "2")
    )
    frame
    return frame, pyramidion


@app.cell
def _(mo):
    mo.md("""
    ## The answer

    The first sentences say it. If the difference is not significant, they say "Undecided": that does not mean that the
    systems are equal.
    """)
    return


@app.cell
def _(frame, pyramidion):
    evaluation = pyramidion.Evaluation(frame)
    found = evaluation.compare(["rouge-1.f", "rouge-2.f"], pair=[("16", "2")])
    found
    return (evaluation,)


@app.cell
def _(mo):
    mo.md("""
    ## Topic by topic

    The scores as a data frame, and the difference on each topic.
    """)
    return


@app.cell
def _(evaluation):
    scores = evaluation.table("rouge-2.f").to_pandas()
    by_topic = scores.pivot(index="topic", columns="summarizer", values="value")
    by_topic["difference"] = by_topic["16"] - by_topic["2"]
    by_topic.sort_values("difference")
    return


@app.cell
def _(mo):
    mo.md("""
    ## How many topics do you need?

    Choose a difference that matters to you. These scores serve as a pilot.
    """)
    return


@app.cell
def _(mo):
    smallest = mo.ui.slider(start=0.01, stop=0.1, step=0.01, value=0.02, label="difference", show_value=True)
    smallest
    return (smallest,)


@app.cell
def _(evaluation, smallest):
    power = evaluation.power("rouge-2.f", difference=smallest.value)
    power
    return


if __name__ == "__main__":
    app.run()
