# bash completion of tsmux: source this file in ~/.bashrc, or copy it to
#   ~/.local/share/bash-completion/completions/tsmux
# Made by the project's tests from the commands themselves.
_tsmux() {
  local current="${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="daemon stop setup hook list watch switch menu next focus label show prompts answer pin history seen explain doctor click i3bar waybar polybar i3blocks i3status-rs tmux json preview help --help --version"
  else
    case "${COMP_WORDS[1]}" in
    daemon) words="--help" ;;
    stop) words="--help" ;;
    setup) words="--check --remove --dry-run --config-dir --deny --no-deny -y --yes --help" ;;
    hook) words="--help" ;;
    list) words="--json --help" ;;
    watch) words="--changes-only --help" ;;
    switch) words="--help" ;;
    menu) words="--help switch answer $(tsmux __sessions 2>/dev/null | cut -f1)" ;;
    next) words="--back --help" ;;
    focus) words="--help off" ;;
    label) words="--help $(tsmux __sessions 2>/dev/null | cut -f1)" ;;
    show) words="--help $(tsmux __sessions 2>/dev/null | cut -f1)" ;;
    prompts) words="--json --help" ;;
    answer) words="--to --pinned --text --help $(tsmux __prompts 2>/dev/null | cut -f1)" ;;
    pin) words="--off --help $(tsmux __prompts 2>/dev/null | cut -f1)" ;;
    history) words="--json --help" ;;
    seen) words="--help $(tsmux __sessions 2>/dev/null | cut -f1)" ;;
    explain) words="--help $(tsmux __sessions 2>/dev/null | cut -f1)" ;;
    doctor) words="--json --help" ;;
    click) words="--bar --button --slot --output --instance --line --help" ;;
    i3bar) words="--once --output --help" ;;
    waybar) words="--slot --once --output --print-config --slots --help" ;;
    polybar) words="--slot --once --output --help" ;;
    i3blocks) words="--slot --once --output --help" ;;
    i3status-rs) words="--slot --once --output --help" ;;
    tmux) words="--slot --once --output --marks --help" ;;
    json) words="--slot --once --output --help" ;;
    preview) words="--demo --help" ;;
    help) words="--help daemon stop setup hook list watch switch menu next focus label show prompts answer pin history seen explain doctor click i3bar waybar polybar i3blocks i3status-rs tmux json preview help" ;;
    *) words= ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _tsmux tsmux
