"""Write a tiny vision-language model with random weights into a folder: python tiny_vlm.py FOLDER

It needs transformers, PyTorch and nothing from any network. What it says means nothing.
"""

from __future__ import annotations

import sys

TEMPLATE = """{% for message in messages %}{{ message['role'] }}: {% if message['content'] is string %}\
{{ message['content'] }}{% else %}{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>\
{% elif part['type'] == 'text' %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}
{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}"""
SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
SIDE, PATCH = 28, 14  # pixels


def tokenizer():
    """A tokenizer of bytes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bytes_ = Tokenizer(models.BPE())
    bytes_.pre_tokenizer, bytes_.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    special = ["<pad>", "<s>", "</s>", "<image>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=special, initial_alphabet=alphabet)
    bytes_.train_from_iterator(["Image 1 2 3 4"], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bytes_,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        additional_special_tokens=["<image>"],
    )


def write(folder: str) -> None:
    """Write model and processor."""
    from transformers import (
        CLIPImageProcessor,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    words = tokenizer()
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(**SMALL, image_size=SIDE, patch_size=PATCH, projection_dim=32),
        text_config=LlamaConfig(
            **SMALL,
            vocab_size=len(words),
            max_position_embeddings=16_384,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
        ),
        image_token_index=words.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        image_seq_length=(SIDE // PATCH) ** 2,
    )
    size = {"height": SIDE, "width": SIDE}
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessor(size=size, crop_size=size, do_center_crop=False),
        tokenizer=words,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        chat_template=TEMPLATE,
        image_token="<image>",
        num_additional_image_tokens=1,
    )
    model = LlavaForConditionalGeneration(config).eval()
    model.generation_config.pad_token_id = 0
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


if __name__ == "__main__":
    write(sys.argv[1])
