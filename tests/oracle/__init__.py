"""A second opinion for tests: a dealer, a settler and shoes, written from the approved documents.

Cards are texts, shoes are counts of the thirteen ranks, and the pay tables are those typed in ``documents.py``.
Nothing here imports the engine, the analysis or the rule books of combinat.

``dealer``: the Table of Play; every round of a small shoe, and the rounds of any shoe by points.
``settler``: what each bet and each insurance offer of the four documents nets.
``any_book``: what a bet of any rule book nets, read from its TOML.
``shoes``: the shoes that tests share, and hypothesis strategies for more.
"""
