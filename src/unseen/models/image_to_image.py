"""Image-to-image models: an encoder and the transformer decoder, trained end to end (SVIB, section 4.1, appendix E.1).

I2I-CNN sees the image as one vector, a narrow passage; I2I-ViT as one vector for each of its patches, a wide one.
"""

from __future__ import annotations

from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Images
from unseen.models.convolutions import ConvEncoder
from unseen.models.layers import Batch, grid_sin_cos, pixels
from unseen.models.transformer import TransformerDecoder, TransformerEncoder, draw_weights, patched


class ImageToImage(nn.Module):
    """An encoder of images, and a decoder of what it makes of them."""

    kinds = ("image",)

    encoder: nn.Module  # (b, 3, side, side) -> (b, n, inputs of the decoder)
    decoder: TransformerDecoder

    def forward(self, batch: Batch) -> Tensor:
        """Imagine the next image -> (b, 3, side, side)"""
        return self.decoder(self.encoder(pixels(batch["input_image"])))  # type: ignore[no-any-return]


class I2ICNN(ImageToImage):
    """Four convolutions and a linear map make one token of the image."""

    def __init__(
        self,
        task: Images,
        *,
        channels: int = 64,
        latents: int = 64,
        width: int = 192,
        blocks: int = 8,
        heads: int = 4,
        patch: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        see = ConvEncoder(task.side, channels=channels, out=latents)
        self.encoder = nn.Sequential(see, nn.Unflatten(1, (1, latents)))  # one token
        draw_weights(self.encoder)
        self.decoder = TransformerDecoder(
            task.side, latents, width=width, blocks=blocks, heads=heads, patch=patch, dropout=dropout
        )


class I2IViT(ImageToImage):
    """A Vision Transformer makes a token of every patch; its width, blocks and dropout are the decoder's, too."""

    def __init__(
        self,
        task: Images,
        *,
        encoder_patch: int = 16,
        encoder_heads: int = 8,
        width: int = 192,
        blocks: int = 8,
        heads: int = 4,
        patch: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.encoder = VisionTransformer(
            task.side, width=width, blocks=blocks, heads=encoder_heads, patch=encoder_patch, dropout=dropout
        )
        self.decoder = TransformerDecoder(
            task.side, width, width=width, blocks=blocks, heads=heads, patch=patch, dropout=dropout
        )


class VisionTransformer(nn.Module):
    """Patches of an image as tokens that attend to each other; where a patch is, is added as sines and cosines."""

    places: Tensor  # (patches, d)

    def __init__(self, side: int, *, width: int, blocks: int, heads: int, patch: int, dropout: float) -> None:
        super().__init__()
        if side % patch:
            raise SpecError(
                f"images of {side} pixels cannot be cut into patches of {patch}; choose another encoder_patch"
            )
        self.patch = patch
        self.embed = nn.Linear(3 * patch**2, width)
        draw_weights(self.embed)
        self.transformer = TransformerEncoder(width, blocks=blocks, heads=heads, dropout=dropout)
        places = grid_sin_cos(side // patch, side // patch, width)
        self.register_buffer("places", places, persistent=False)

    def forward(self, images: Tensor) -> Tensor:
        """See images, (b, 3, side, side) -> (b, patches, d)"""
        return self.transformer(self.embed(patched(images, self.patch)) + self.places)  # type: ignore[no-any-return]
