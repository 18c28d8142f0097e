import TestSupport

@testable import MaydayCommands
@testable import ProgramSupport

/// Completions that a real shell offers for a command line that ends at the cursor.
struct ShellSession {
  let folder = ScratchFolder()

  /// The words that bash offers, separated by spaces.
  ///
  /// Bash calls the completion function with the words of the line, which it also splits at colons
  /// and equals signs; this does the same.
  func bash(_ line: String) -> String {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
      .flatMap { Self.parted(String($0)) }
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source \(script(of: "bash"))
      compopt() { :; }
      COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
      COMP_WORDS=(\(BuiltProgram.mayday) \(quoted))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE='\(BuiltProgram.mayday) \(line)'
      COMP_POINT=${#COMP_LINE}
      COMPREPLY=()
      _mayday
      echo "${COMPREPLY[*]}"
      """
    return run("/bin/bash", ["--norc", "--noprofile", "-c", script])
  }

  private static func parted(_ word: String) -> [String] {
    var parts = [""]
    for character in word {
      let isSign = character == ":" || character == "="
      let last = parts[parts.count - 1]
      let isLastSign = last == ":" || last == "="
      if !last.isEmpty, isSign != isLastSign { parts.append("") }
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  /// The candidates that fish offers, each with a tab and its description.
  func fish(_ path: String, _ line: String) -> [String] {
    let script = """
      set -x PATH \(Self.programFolder) $PATH
      source \(script(of: "fish"))
      complete -C 'mayday \(line)'
      """
    return run(path, ["--no-config", "-c", script]).split(separator: "\n").map(String.init)
  }

  /// Output of zsh in a terminal of its own after a tab: the list, and the line between `[` and `]`.
  func zsh(_ path: String, _ line: String) -> String {
    folder.write("zsh/_mayday", Array(Run(["completions", "zsh"]).output.utf8))
    let script = """
      zmodload zsh/zpty
      zpty -b shell \(path) -f -i
      zpty -w shell 'PS1=; stty -echo; path=(\(Self.programFolder) $path)'
      zpty -w shell 'fpath=(\(folder.path("zsh")) $fpath); autoload -Uz compinit; compinit -u -D'
      zpty -w shell 'bindkey "^I" complete-word; LISTMAX=1000; bindkey "^G" tell; zle -N tell'
      zpty -w shell 'tell() { print -r -- "[$BUFFER]E""ND"; BUFFER= }; print REA""DY'
      zpty -r -m shell text '*READY*'
      zpty -w -n shell 'mayday \(line)'$'\\t'$'\\C-g'
      zpty -r -m shell text '*]END*'
      print -r -- "$text"
      """
    let output = run(path, ["-f", "-c", script])
    return output.filter { $0 != "\r" && $0 != "\u{7}" }
  }

  private static let programFolder = BuiltProgram.mayday.split(
    separator: "/", omittingEmptySubsequences: false
  ).dropLast().joined(separator: "/")

  private func script(of shell: String) -> String {
    folder.write("completions.\(shell)", Array(Run(["completions", shell]).output.utf8))
  }

  private func run(_ program: String, _ arguments: [String]) -> String {
    let run = Run(
      arguments, environment: ["HOME": folder.path("user"), "TERM": "dumb", "LC_ALL": "C.UTF-8"],
      program: program)
    return run.errors.isEmpty && run.status == 0 ? run.output : run.errors
  }
}
