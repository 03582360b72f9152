"""The real libraries take our examples as environments: TRL trains on our rewards, reasoning-gym serves our questions.

Neither is among the packages of `make test`; CONTRIBUTING.md says how to have them.
"""

from __future__ import annotations

import json

import pytest

import unseen
from unseen.predict.environments import ReasoningGym, grpo_reward, grpo_rows

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs
TEMPLATE = "{% for message in messages %}{{ message.content }}\n{% endfor %}"


@pytest.fixture(scope="module")
def policy():
    """A causal language model of bytes, tiny and random, and its tokenizer; nothing is downloaded."""
    reason = "TRL is not installed: pip install --constraint constraints.txt trl"
    pytest.importorskip("trl", reason=reason)
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    words = {word: number for number, word in enumerate(["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    coder = Tokenizer(models.BPE(vocab=words, merges=[]))
    coder.pre_tokenizer, coder.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=coder, eos_token="<end>", pad_token="<end>")
    tokenizer.chat_template = TEMPLATE
    ends = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    shape = GPT2Config(vocab_size=len(words), n_positions=8192, n_embd=16, n_layer=1, n_head=2, **ends)
    return GPT2LMHeadModel(shape), tokenizer


def test_trl_trains_a_policy_on_our_rewards(policy, tmp_path):
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    rows = list(grpo_rows(unseen.load("cogitao/s1-rotate", "train", seed=3)[:4]))
    reward, seen = grpo_reward(), []

    def noted(completions, **columns):
        seen.append((completions, columns))
        return reward(completions, **columns)

    settings = GRPOConfig(
        output_dir=str(tmp_path),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=4,
        max_steps=2,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
    )
    model, tokenizer = policy
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[noted],
        args=settings,
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    assert trainer.state.global_step == 2
    assert [line["reward"] for line in trainer.state.log_history if "reward" in line] == [0.0, 0.0]
    completions, columns = seen[0]
    examples = unseen.load("cogitao/s1-rotate", "train", seed=3)
    right = [str(examples[index].target["grid"].tolist()) for index in columns["index"]]
    chats = [[{"role": "assistant", "content": text}] for text in right]
    assert type(chats[0]) is type(completions[0]), "completions have the form of the prompts, a chat"
    assert reward(chats, **columns) == [1.0] * len(chats)


@pytest.mark.parametrize("task", ["cogitao/custom+depth=3", "covr/iid"])
def test_an_experiment_of_reasoning_gym_serves_and_scores_our_questions(task):
    reason = "reasoning-gym is not installed: pip install --constraint constraints.txt reasoning-gym"
    pytest.importorskip("reasoning_gym", reason=reason)
    from reasoning_gym.coaching.experiment import Experiment
    from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
    from reasoning_gym.version_manager import DatasetVersionManager

    ours, versions = ReasoningGym(task, "train", size=3, seed=1), DatasetVersionManager()
    theirs = CompositeConfig(size=1, seed=0, datasets=[DatasetSpec(name="leg_counting", weight=1, config={})])
    experiment = Experiment("both", CompositeDataset(theirs, version_manager=versions))
    version = versions.register_dataset("unseen", ours)
    for number, entry in enumerate(ours):
        json.dumps(entry)  # their servers and logs write entries as JSON
        assert experiment.score_answer_with_id(entry["answer"], f"{version}.{number}") == 1.0
        assert experiment.score_answer_with_id(None, f"{version}.{number}") == 0.0
    (scores,) = experiment.score_board.aggregate()["unseen"].scores.values()
    assert scores == [1.0, 0.0] * 3
    assert ours[0]["metadata"]["difficulty"] == ({"depth": "3"} if "depth" in task else {})
