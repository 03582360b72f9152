"""How numba compiles kernels here: one is optimized and turned into machine code only where Python calls it.

numba does both for each function, and again for all that it calls, at every level. But kernels that others call are
only needed as input to the optimizer, which looks at everything that an entry reaches at once. So those are taken as
far as LLVM's intermediate code and no further, which halves the time of compiling.
"""

# numba declares few of its types
# mypy: disable-error-code="no-untyped-call, attr-defined, misc, assignment"

from __future__ import annotations

from typing import Any

from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.dispatcher import _FunctionCompiler


class InnerLibrary(JITCodeLibrary):
    """Intermediate code of a kernel that others call, to be linked into theirs."""

    def finalize(self) -> None:
        """Accept no more code; there is nothing else to do, as this never runs by itself."""
        self._raise_if_finalized()
        self._finalized = True

    def own_module(self) -> Any:
        """Give the code of this kernel alone."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """Give the code with all that it reaches, for functions that numba compiles in its own way."""
        whole = self.own_module().clone()
        for called in _callers_first(self._linking_libraries):
            module = called.own_module() if isinstance(called, InnerLibrary) else called._get_module_for_linking()
            whole.link_in(module, preserve=True)
        return whole


class EntryLibrary(JITCodeLibrary):
    """Code of a kernel that Python calls, with all that it reaches."""

    def finalize(self) -> None:
        """Link everything that is reached, callers before those they call: LLVM leaves out what nobody calls yet."""
        reached = _callers_first(self._linking_libraries)
        for library in reached:
            if isinstance(library, InnerLibrary):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library.own_module(), preserve=True)
        self._linking_libraries = [library for library in reached if not isinstance(library, InnerLibrary)]
        super().finalize()

    def _verify_declare_only_symbols(self) -> None:
        missing = [
            one.name for one in self._final_module.functions if one.is_declaration and one.name.startswith("_ZN")
        ]
        assert not missing, f"{self.name} was linked without {missing[0]}"


def _callers_first(libraries: list[Any]) -> list[Any]:
    """Order libraries and all that they call such that each stands before those that it calls."""
    ordered: dict[Any, None] = {}  # those who are called first

    def visit(library: Any) -> None:
        if library not in ordered:
            for called in library._linking_libraries if isinstance(library, InnerLibrary) else ():
                visit(called)
            ordered[library] = None

    for library in libraries:
        visit(library)
    return [*reversed(ordered)]


class FunctionCompiler(_FunctionCompiler):
    """Compiles a function as an entry, or as what entries reach."""

    inner = False

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = self.inner
        context = self.targetdescr.target_context
        library = (InnerLibrary if self.inner else EntryLibrary)(context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        made = compiler.compile_extra(
            self.targetdescr.typing_context, context, self.py_func, args, return_type, flags, self.locals, library
        )
        if self.inner:
            made = made._replace(entry_point=library)  # by which callers find it
            context.insert_user_function(library, made.fndesc, [library])
        else:
            for environment in made._find_referenced_environments():
                library.codegen.set_env(environment.env_name, environment)
        return made
