import Arguments
import Bytes
import JSON
import Rendering

/// The effective options of commands, and the source of each value.
struct EffectiveSettings {
  private struct Row {
    let command: String
    let value: EffectiveValue

    var name: String { String(value.parameter.names.last?.dropFirst(2) ?? "") }
    /// The printed value: a token is a secret, and users paste lists of settings into questions.
    var values: [String] { name == "token" ? value.values.map { _ in "(set)" } : value.values }
  }

  private let rows: [Row]
  private let file: String?
  private let searchedPath: String?

  /// - Parameters:
  ///   - searchedPath: The default path of the file.
  ///   - isComplete: Whether options without a setting are listed.
  init(
    commands: [CommandDescription], file: ConfigurationFile, searchedPath: String?,
    environment: [String: String], isComplete: Bool
  ) {
    self.file = file.path
    self.searchedPath = searchedPath
    rows = commands.flatMap { command in
      command.effectiveValues(environment: environment, settings: file.settings)
        .filter {
          $0.parameter.names != GeneralOptions.config && (isComplete || $0.source != .builtIn)
        }
        .map { Row(command: command.path.dropFirst().joined(separator: " "), value: $0) }
    }
  }

  func lines(width: Int, styles: Styles) -> [String] {
    var lines = [
      "Configuration file: "
        + (file ?? "none" + (searchedPath.map { "; it would be \($0)" } ?? "")).printable
    ]
    guard !rows.isEmpty else {
      return lines + ["Neither it nor the environment sets anything."]
    }
    lines.append("")
    var table = TextTable([
      .text("OPTION"), .text("VALUE", .atEnd), .text("FOR", .atEnd), .text("FROM", .atStart),
    ])
    for (row, commands) in merged {
      let value = row.values.joined(separator: ", ").printable
      table.add([row.name, value, commands, words(for: row.source).printable])
    }
    return lines + table.lines(width: width, styles: styles)
  }

  /// The effective options of one or more commands.
  private struct MergedRow: Hashable {
    let name: String
    let values: [String]
    let source: OptionSource
  }

  /// One row for all commands with the same value and source.
  private var merged: [(row: MergedRow, commands: String)] {
    var order: [MergedRow] = []
    var commands: [MergedRow: [String]] = [:]
    for row in rows {
      let merged = MergedRow(name: row.name, values: row.values, source: row.value.source)
      if commands[merged] == nil { order.append(merged) }
      commands[merged, default: []].append(row.command)
    }
    return order.map { row in
      let names = commands[row] ?? []
      return (row, names.count > 3 ? "\(names.count) commands" : names.joined(separator: ", "))
    }
  }

  /// The file's path is printed above the list, so its name is enough here.
  private func words(for source: OptionSource) -> String {
    switch source {
    case .builtIn: "default"
    case .settings(let location):
      location.lastIndex(of: "/").map { String(location[location.index(after: $0)...]) } ?? location
    case .environment(let variable): "$" + variable
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("file", file)
    writer.member("searched", searchedPath)
    writer.key("options")
    writer.beginArray()
    for row in rows {
      writer.beginObject()
      writer.member("command", row.command)
      writer.member("option", row.name)
      writer.key("values")
      writer.beginArray()
      for value in row.values { writer.string(value) }
      writer.endArray()
      switch row.value.source {
      case .builtIn: writer.member("from", "default")
      case .settings(let location):
        writer.member("from", "file")
        writer.member("place", location)
      case .environment(let variable):
        writer.member("from", "environment")
        writer.member("variable", variable)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
