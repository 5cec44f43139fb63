# SPDX-License-Identifier: Apache-2.0
"""Lists the commands that freeze.py runs over an input. {} is the path of the input; a word after @ is an output file, or an output
folder if it ends with /. PDF reports are excluded, because the glyphs that they embed depend on the date."""

from dataclasses import dataclass

JSON, TEXT, STEPS = '--format json', '--format text', '--unit step --start 2 --end 4'
QUICK = [f'info {JSON} {{}}']
LARGE = [*QUICK, f'align {JSON} {{}}', f'report {JSON} {{}}', f'rules {JSON} {{}}', 'merge -o @merged.json {}']
MOST = [*LARGE, 'dump {}', 'dump --raw {}', 'merge --layout smdebug -o @merged.json {}', 'merge --layout composer -o @merged.json {}',
        'report -o @report.html {}', 'render -o @picture.png {}']
ALL = [*MOST, f'info {TEXT} {{}}', 'dump --clock declared --no-args {}', f'align {TEXT} {{}}',
       'merge --layout smdebug --compat -o @merged.json {}', 'merge --layout composer --compat -o @merged.json {}',
       f'report {TEXT} {{}}', f'report --numbers smdebug {JSON} {{}}', f'rules {TEXT} {{}}', f'rules --rules rules {JSON} {{}}']
# Additional commands for runs with steps, ranks and nodes.
WIDE = [f'report {STEPS} {JSON} {{}}', f'merge {STEPS} -o @merged.json {{}}', f'dump {STEPS} {{}}',
        f'info --clock none {JSON} {{}}', f'report --clock none {JSON} {{}}', 'merge --offset 0=1000 -o @merged.json {}',
        'render --theme dark --size 900x600 -o @picture.svg {}', 'report --numbers smdebug -o @report.html {}']
SESSION = [*QUICK, f'info {TEXT} {{}}']
OVER = {'sample': ALL + WIDE, 'run': ALL + WIDE, 'case': ALL, 'file': MOST, 'folder': ALL, 'refused': QUICK, 'session': SESSION,
        'configuration': ['config show {}', 'config check {}']}
VERBS = ('info', 'dump', 'merge', 'align', 'report', 'render', 'rules', 'config', 'config show', 'config check', 'config write')
WITHOUT = ['--help', '--version', *(f'{verb} --help' for verb in VERBS), *VERBS,
           *(f'config write --kind {kind} --start-step 3 --num-steps 2 -o @written.json' for kind in ('request', 'container', 'python'))]
CLI = 'traceloom-cli'


@dataclass
class Command:
    """A command line. The first word is a program of the build, or a script of this folder, which gets the window's
    program as an argument."""
    pattern: str
    path: str = ''

    @property
    def name(self):
        """Returns the command line as typed in the folder of inputs."""
        return ' '.join(word[1:].rstrip('/') if word[:1] == '@' else word for word in self.words())

    def is_script(self):
        return self.pattern.split()[0].endswith('.py')

    def words(self):
        return [self.path if word == '{}' else word for word in self.pattern.split()]


def over(one, with_large):
    patterns = OVER[one.kind]
    if one.is_large and not with_large:
        patterns = [pattern for pattern in patterns if pattern in LARGE]
    commands = [Command(f'{CLI} {pattern}', one.path) for pattern in patterns]
    return commands + [Command('rewrite-session {} @again.traceloom', one.path)] if one.kind == 'session' else commands


def without_input(with_window):
    commands = [Command(f'{CLI} {pattern}') for pattern in WITHOUT] + [Command('draw-pictures @pictures/')]
    return commands + [Command('window-tree.py sample/llama-8b @tree/')] if with_window else commands
