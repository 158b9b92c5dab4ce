"""Two small fits: which of several is right (conditional logit), and how likely one is (logistic regression)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import minimize

#: A choice: the signals of each alternative, which of them are right, and what the choice weighs.
Choice = tuple[Sequence[Mapping[str, float]], Sequence[bool], float]


def conditional(choices: Sequence[Choice], ridge: float = 2.0) -> dict[str, float]:
    """Return weights under which the right alternatives have the most of ``exp(weights . signals)``.

    Choices without a right and a wrong alternative are passed over. The ridge is on standardised signals.
    """
    used = [one for one in choices if any(one[1]) and not all(one[1])]
    names = list(used[0][0][0])
    rows = np.vstack([[[each[name] for name in names] for each in one[0]] for one in used])
    scale = rows.std(axis=0)
    scale[scale < 1e-9] = 1.0
    rows = (rows - rows.mean(axis=0)) / scale
    right = np.concatenate([np.asarray(one[1], float) for one in used])
    sizes = [len(one[0]) for one in used]
    starts, of = np.r_[0, np.cumsum(sizes)[:-1]], np.repeat(np.arange(len(used)), sizes)
    weigh = np.asarray([one[2] for one in used])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = rows @ weights
        power = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        total, good = np.add.reduceat(power, starts), np.add.reduceat(power * right, starts)
        slope = rows.T @ ((power / total[of] - power * right / good[of]) * weigh[of]) + ridge * weights
        return float(-(weigh * np.log(good / total)).sum() + ridge / 2 * weights @ weights), slope

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x / scale
    return {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True)}


def logistic(
    seen: Sequence[Mapping[str, float]], right: Sequence[bool], weights: Sequence[float], strength: float = 0.3
) -> tuple[dict[str, float], float]:
    """Return weights and bias of a logistic regression with a ridge on standardised signals."""
    from sklearn.linear_model import LogisticRegression

    names = list(seen[0])
    rows = np.asarray([[one[name] for name in names] for one in seen])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-9] = 1.0
    weigh = np.asarray(weights) * len(weights) / sum(weights)
    model = LogisticRegression(C=strength, max_iter=2000).fit((rows - mean) / scale, right, sample_weight=weigh)
    slopes = model.coef_[0] / scale
    named = {name: round(float(slope), 4) for name, slope in zip(names, slopes, strict=True)}
    return named, round(float(model.intercept_[0] - slopes @ mean), 4)
