internal import Spelling

/// Fills in the declared properties of one command.
struct CommandLineParser {
  private let options: [any Declaration]
  private let arguments: [any Declaration]
  /// The names of the options given on the command line.
  private var given: Set<String> = []
  private var values: [String] = []

  init(options: [any Declaration], arguments: [any Declaration]) {
    self.options = options
    self.arguments = arguments
  }

  /// Reads the arguments after the command's name.
  ///
  /// - Returns: `false` when help was asked for.
  mutating func read(_ words: ArraySlice<String>) throws(UsageError) -> Bool {
    var rest = words
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" { return false }
      if word == "--" {
        values += rest
        break
      }
      if word.hasPrefix("--") || word.count > 2 && option(named: optionName(in: word)) != nil {
        try acceptLong(word, &rest)
      } else if word.hasPrefix("-") && word.count > 1
        && option(named: String(word.prefix(2))) != nil
      {
        try acceptShort(word, &rest)
      } else if word.hasPrefix("-") && word.count > 2
        && arguments.contains(where: \.parameter.takesDashes)
      {
        values.append(word)
      } else if word.hasPrefix("-") && word.count > 1 {
        throw unknownOption(word)
      } else {
        values.append(word)
      }
    }
    return true
  }

  /// Reads an option given before the command's name.
  ///
  /// - Returns: `false` when the next argument is not an option known here.
  mutating func acceptsOption(_ rest: inout ArraySlice<String>) throws(UsageError) -> Bool {
    guard let word = rest.first, word.hasPrefix("--"), option(named: optionName(in: word)) != nil
    else { return false }
    rest.removeFirst()
    try acceptLong(word, &rest)
    return true
  }

  /// Adopts the options that another parser for the same declarations was given.
  mutating func take(_ other: CommandLineParser) { given.formUnion(other.given) }

  private func option(named name: String) -> (any Declaration)? {
    options.first { $0.parameter.names.contains(name) }
  }

  private mutating func acceptLong(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let equals = word.firstIndex(of: "=")
    let name = String(word[..<(equals ?? word.endIndex)])
    let attached = equals.map { String(word[word.index(after: $0)...]) }
    guard let option = option(named: name) else { throw unknownOption(name) }
    if option.parameter.kind == .flag {
      guard attached == nil else { throw UsageError("\(name) takes no value") }
      try accept(name, for: option, as: name)
    } else {
      let text = try value(attached, for: option, as: name, &rest)
      try accept(text, for: option, as: name)
    }
  }

  /// Reads `-o FILE`, `-oFILE`, and combined flags. An optional value follows an equals sign, so
  /// that flags may follow: `-fC`, `-f=none`.
  private mutating func acceptShort(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      guard let option = option(named: name) else { throw unknownOption(name) }
      if option.parameter.kind == .flag {
        try accept(name, for: option, as: name)
        continue
      }
      if let implied = option.parameter.impliedText, letters.first != "=" {
        try accept(implied, for: option, as: name)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      let attached = letters.isEmpty ? nil : String(letters)
      let text = try value(attached, for: option, as: name, &rest)
      try accept(text, for: option, as: name)
      return
    }
  }

  /// The value attached to the option's name, or otherwise the next argument, unless that looks
  /// like another option.
  private func value(
    _ attached: String?, for option: any Declaration, as name: String,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    if let attached { return attached }
    if let implied = option.parameter.impliedText {
      guard let next = rest.first, option.isPlain(next) else { return implied }
      rest.removeFirst()
      return next
    }
    if let next = rest.first, next != "--" {
      let isOption = next.hasPrefix("-") && self.option(named: optionName(in: next)) != nil
      // A single letter is a mistyped option of some command rather than a file name.
      let letter = next.count == 2 && next.first == "-" ? next.last : nil
      if !isOption, letter?.isLetter != true {
        rest.removeFirst()
        return next
      }
    }
    throw UsageError("\(name) needs a value: \(name) \(option.parameter.valueName)")
  }

  private func optionName(in word: String) -> String {
    word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
  }

  private mutating func accept(
    _ text: String, for option: any Declaration, as name: String
  ) throws(UsageError) {
    given.insert(option.parameter.displayName)
    guard option.accept(text) else { throw option.invalid(text, as: name) }
  }

  /// Takes the value of each option missing from the command line from `fallback`.
  func acceptFallbacks(_ fallback: (Parameter) -> Fallback?) throws(UsageError) {
    for option in options where !given.contains(option.parameter.displayName) {
      let parameter = option.parameter
      guard let found = fallback(parameter) else { continue }
      if parameter.kind == .flag {
        let isOn = found.values.last.map { Fallback.isOn($0) ?? true } ?? false
        if isOn { _ = option.accept("") }
        continue
      }
      for value in found.values where !option.accept(value) {
        throw option.invalid(value, as: found.source.name(of: parameter))
      }
    }
  }

  /// Assigns the arguments that are not options.
  func acceptArguments() throws(UsageError) {
    var rest = values[...]
    for argument in arguments {
      let parameter = argument.parameter
      let count = parameter.isRepeated ? rest.count : min(1, rest.count)
      if count == 0 && parameter.isRequired {
        throw UsageError("\(parameter.valueName) is missing" + parameter.standardInputHint)
      }
      for value in rest.prefix(count) where !argument.accept(value) {
        throw parameter.invalid(value, as: parameter.valueName)
      }
      rest = rest.dropFirst(count)
    }
    if let extra = rest.first { throw UsageError("unexpected argument '\(extra)'") }
  }

  /// Names of options in other programs, with the options here that do the same.
  private static let otherNames = [
    "--port": ["--listen"], "--host": ["--listen", "--server"], "--bind": ["--listen"],
    "--address": ["--listen"], "--url": ["--server", "--server-url"], "--api-key": ["--token"],
    "--auth-token": ["--token"], "--dsym": ["--symbols"], "--dsyms": ["--symbols"],
    "--symbol-path": ["--symbols"], "--count": ["--limit"], "--max": ["--limit"],
    "--top": ["--limit"], "--filter": ["--where"], "--order": ["--sort"], "--until": ["--to"],
    "--since": ["--from", "--days"], "--force": ["--yes"], "--yes": ["--force"],
    "--dry": ["--dry-run"], "--data": ["--home"], "--data-dir": ["--home"], "--dir": ["--home"],
    "--db": ["--home"], "--out": ["--output"], "--release": ["--version"],
    "--project": ["--app"],
  ]

  private func unknownOption(_ name: String) -> UsageError {
    let names = options.flatMap(\.parameter.names) + ["--help"]
    let long = names.filter { $0.hasPrefix("--") }
    let near =
      Self.otherNames[name]?.first(where: long.contains)
      ?? Suggestion.nearest(to: name, among: long)
    let hint = name.hasPrefix("--") ? near.map { "; did you mean \($0)?" } ?? "" : ""
    return UsageError("unknown option \(name)\(hint)")
  }
}
