/// Fills in the declared properties of one command.
struct CommandLineParser {
  let command: any Command
  private let description: CommandDescription
  private let environment: [String: String]
  private let options: [any Declaration]
  private let arguments: [any Declaration]
  /// The names of the options that the command line gave.
  private var given: Set<String> = []
  private var values: [String] = []

  init(
    _ command: any Command, _ description: CommandDescription, _ environment: [String: String]
  ) {
    self.command = command
    self.description = description
    self.environment = environment
    let all = declarations(of: command)
    options = all.filter { $0.parameter.kind != .argument }
    arguments = all.filter { $0.parameter.kind == .argument }
  }

  /// - Returns: `false` when help was asked for.
  mutating func parse(_ words: ArraySlice<String>) throws(UsageError) -> Bool {
    var rest = words
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" { return false }
      if word == "--" {
        values += rest
        break
      }
      if word.hasPrefix("--") {
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
    try acceptEnvironment()
    try acceptArguments()
    return true
  }

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
      try accept("", for: option, as: name)
    } else {
      let text = try value(attached, for: option, as: name, &rest)
      try accept(text, for: option, as: name)
    }
  }

  /// Takes `-o FILE`, `-oFILE`, and flags written together.
  private mutating func acceptShort(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      guard let option = option(named: name) else { throw unknownOption(name) }
      if option.parameter.kind == .flag {
        try accept("", for: option, as: name)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      let attached = letters.isEmpty ? nil : String(letters)
      let text = try value(attached, for: option, as: name, &rest)
      try accept(text, for: option, as: name)
      return
    }
  }

  /// What is attached to the option's name, else the next word, unless that is another option.
  private func value(
    _ attached: String?, for option: any Declaration, as name: String,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    if let attached { return attached }
    if let next = rest.first, next != "--" {
      let isOption = next.hasPrefix("-") && self.option(named: optionName(in: next)) != nil
      if !isOption {
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
    guard option.accept(text) else { throw invalid(text, for: option.parameter, as: name) }
  }

  private func acceptEnvironment() throws(UsageError) {
    for option in options where !given.contains(option.parameter.displayName) {
      let parameter = option.parameter
      guard
        let variable = parameter.environmentVariable(prefix: description.environmentPrefix),
        let text = environment[variable], !text.isEmpty
      else { continue }
      if parameter.kind == .flag {
        let isOff = ["0", "no", "false", "off"].contains(text.lowercased())
        if !isOff { _ = option.accept("") }
        continue
      }
      let values = parameter.isRepeated ? text.split(separator: ":").map(String.init) : [text]
      for value in values where !option.accept(value) {
        throw invalid(value, for: parameter, as: "$" + variable)
      }
    }
  }

  private func acceptArguments() throws(UsageError) {
    var rest = values[...]
    for argument in arguments {
      let parameter = argument.parameter
      let count = parameter.isRepeated ? rest.count : min(1, rest.count)
      if count == 0 && parameter.isRequired {
        throw UsageError("\(parameter.valueName) is missing")
      }
      for value in rest.prefix(count) where !argument.accept(value) {
        throw invalid(value, for: parameter, as: parameter.valueName)
      }
      rest = rest.dropFirst(count)
    }
    if let extra = rest.first { throw UsageError("unexpected argument '\(extra)'") }
  }

  private func unknownOption(_ name: String) -> UsageError {
    let names = options.flatMap(\.parameter.names) + ["--help"]
    let near = suggestion(for: name, among: names.filter { $0.hasPrefix("--") })
    let hint = name.hasPrefix("--") ? near.map { "; did you mean \($0)?" } ?? "" : ""
    return UsageError("unknown option \(name)\(hint)")
  }

  private func invalid(
    _ text: String, for parameter: Parameter, as name: String
  ) -> UsageError {
    let expected =
      switch parameter.choices.count {
      case 0: "it wants a value like \(parameter.valueName)"
      default: "it is one of " + parameter.choices.joined(separator: ", ")
      }
    let near = suggestion(for: text, among: parameter.choices)
    return UsageError(
      "\(name) cannot be '\(text)': \(expected)" + (near.map { "; did you mean \($0)?" } ?? ""))
  }
}
