internal import Spelling

extension Program {
  /// Refuses settings that no command would take.
  ///
  /// - Throws: ``SettingsError`` with everything that is wrong, in the order of the lines.
  public func check(_ settings: Settings) throws(SettingsError) {
    guard !settings.entries.isEmpty else { return }
    let commands = leaves(of: root, []).map { path, command in
      SettingsCommand(path: path, options: options(of: command))
    }
    var problems: [String] = []
    var first: [Settings.Entry: String] = [:]
    for entry in settings.entries {
      if let problem = problem(with: entry, among: commands, first: &first) {
        problems.append("\(entry.location): \(problem)")
      }
    }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  /// A command that can be run, and what can be set for it.
  private struct SettingsCommand {
    let path: [String]
    let options: [any Declaration]

    func option(_ name: String) -> (any Declaration)? {
      options.first { $0.parameter.settingNames.contains(name) }
    }
  }

  private func leaves(
    of command: any Command.Type, _ path: [String]
  ) -> [([String], any Command.Type)] {
    if command.ignoresSettings { return [] }
    return command.subcommands.isEmpty
      ? [(path, command)]
      : command.subcommands.flatMap { leaves(of: $0, path + [$0.name]) }
  }

  private func problem(
    with entry: Settings.Entry, among commands: [SettingsCommand],
    first: inout [Settings.Entry: String]
  ) -> String? {
    let inSection = commands.filter { $0.path.starts(with: entry.section) }
    let section = "[\(entry.section.isEmpty ? root.name : entry.section.joined(separator: " "))]"
    guard !inSection.isEmpty else {
      let names = commands.flatMap { command in
        (1...max(1, command.path.count)).map { command.path.prefix($0).joined(separator: " ") }
      }
      let near = Suggestion.nearest(
        to: entry.section.joined(separator: " "), among: names + [root.name])
      return "no command matches \(section)" + (near.map { "; did you mean [\($0)]?" } ?? "")
    }
    let takers = inSection.filter { command in
      command.option(entry.name).map {
        $0.parameter.isShared || command.path == entry.section
      } ?? false
    }
    guard !takers.isEmpty else {
      let names = inSection.flatMap { $0.options.flatMap(\.parameter.settingNames) }
      let near = Suggestion.nearest(to: entry.name, among: Array(Set(names)).sorted())
      let whose =
        entry.section.isEmpty
        ? "any command" : "'\(root.name) \(entry.section.joined(separator: " "))'"
      return "'\(entry.name)' is not an option of \(whose)"
        + (near.map { "; did you mean '\($0)'?" } ?? "")
    }
    guard !entry.value.isEmpty else { return "'\(entry.name)' has no value" }
    let refusals = takers.compactMap { command -> (path: [String], words: String)? in
      guard let option = command.option(entry.name) else { return nil }
      return option.parameter.refusal(of: entry.value, by: option, as: entry.name)
        .map { (command.path, $0) }
    }
    if let refusal = refusals.first {
      let whose = " (for '\(root.name) \(refusal.path.joined(separator: " "))')"
      return refusal.words + (refusals.count == takers.count ? "" : whose)
    }
    let key = Settings.Entry(section: entry.section, name: entry.name, value: "", location: "")
    let isList = takers.allSatisfy { $0.option(entry.name)?.parameter.isRepeated == true }
    if let location = first.updateValue(entry.location, forKey: key), !isList {
      first[key] = location
      return "'\(entry.name)' already has a value, from \(location)"
    }
    return nil
  }
}

extension Parameter {
  /// The problem with the value of a setting; `nil` when there is none.
  fileprivate func refusal(
    of value: String, by option: any Declaration, as name: String
  ) -> String? {
    if kind == .flag {
      return Fallback.isOn(value) == nil ? "\(name) must be yes or no, not '\(value)'" : nil
    }
    return option.accept(value) ? nil : option.invalid(value, as: name).message
  }

  /// - Parameter name: The name of the option: as it was written, or its environment variable.
  func invalid(_ text: String, as name: String) -> UsageError {
    let expected =
      choices.isEmpty
      ? "write it like \(example ?? valueName)"
      : "must be one of " + choices.joined(separator: ", ")
    let near = Suggestion.nearest(to: text, among: choices)
    return UsageError(
      "\(name) cannot be '\(text)': \(expected)" + (near.map { "; did you mean \($0)?" } ?? ""))
  }
}
