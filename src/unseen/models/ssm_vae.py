"""SSM-VAE: the state is the mean of a variational auto-encoder's posterior, one vector (SVIB, appendix E.2.1).

Left open by the paper, and decided here: the reconstruction is a Gaussian of deviation 0.01 whose negative
log-likelihood is averaged over all values of an image, and the divergence is averaged over latents, as in the published
code. Outside of training nothing is drawn: the loss is that of the posterior's mean.
"""

from __future__ import annotations

from math import log, pi

import torch
from torch import Tensor, nn

from unseen.models import Images
from unseen.models.convolutions import ConvEncoder, growing, smallest
from unseen.models.layers import Batch, pixels
from unseen.models.state_space import Logged, StateSpace, both
from unseen.models.transformer import TransformerDecoder, TransformerEncoder, draw_weights, relu_mlp


class SSMVAE(StateSpace):
    """A state-space model whose state is one vector."""

    def __init__(
        self,
        task: Images,
        *,
        stages: str = "three",
        channels: int = 64,
        latents: int = 64,
        hidden: int = 256,
        beta: float = 1.0,
        sigma: float = 0.01,
        dynamics_blocks: int = 4,
        dynamics_heads: int = 1,
        width: int = 192,
        blocks: int = 8,
        heads: int = 4,
        patch: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__(stages)
        self.beta, self.sigma = beta, sigma
        self.encoder = ConvEncoder(task.side, channels=channels, hidden=hidden, out=2 * latents)
        draw_weights(self.encoder)
        side = smallest(task.side)
        self.decoder = nn.Sequential(
            *relu_mlp(latents, hidden, channels * side**2),
            nn.ReLU(),
            nn.Unflatten(1, (channels, side, side)),
            *growing(channels, channels, 3),
        )
        draw_weights(self.decoder)
        self.dynamics = TransformerEncoder(latents, blocks=dynamics_blocks, heads=dynamics_heads)
        self.probe = TransformerDecoder(
            task.side, latents, width=width, blocks=blocks, heads=heads, patch=patch, dropout=dropout
        )

    def state(self, batch: Batch) -> Tensor:
        """Return the posterior's mean for the input, (b, 1, d)."""
        return self.posterior(pixels(batch["input_image"]))[0][:, None]

    def states(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the posterior's means for input and target, (b, 1, d) each."""
        means, _ = self.posterior(both(batch).flatten(0, 1))  # (2b, d)
        return means[::2, None], means[1::2, None]

    def painted(self, states: Tensor) -> Tensor:
        """Return the images of some states (b, 1, d)."""
        return self.decoder(states.squeeze(1))  # type: ignore[no-any-return]

    def representation_loss(self, batch: Batch) -> tuple[Tensor, Logged]:
        """Negative log-likelihood of input and target, and beta times the divergence from a standard normal."""
        images = both(batch).flatten(0, 1)  # (2b, 3, side, side)
        mean, log_variance = self.posterior(images)  # (2b, d) each
        noise = torch.randn_like(mean) if self.encoder.training else torch.zeros_like(mean)
        error = (self.decoder(mean + (log_variance / 2).exp() * noise) - images).square().mean()
        likelihood = error / (2 * self.sigma**2) + log(self.sigma) + log(2 * pi) / 2
        divergence = (mean.square() + log_variance.exp() - 1 - log_variance).mean() / 2
        return likelihood + self.beta * divergence, {"error": error.detach(), "divergence": divergence.detach()}

    def posterior(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Means and logarithms of variances for images (b, 3, side, side) -> (b, d) each."""
        mean, log_variance = self.encoder(images).chunk(2, dim=1)
        return mean, log_variance
