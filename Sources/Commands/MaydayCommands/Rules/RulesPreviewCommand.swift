import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashStore
import Documents
import Grouping
import JSON
import Pipeline
import Rendering
import Terminal

/// `mayday rules preview`
struct RulesPreviewCommand: Command {
  static let name = "preview"
  static let summary = "Show which groups would merge, split or get another title."
  static let discussion = """
    Computes the signatures of all stored reports of the app with the rules; changes nothing. Works \
    on a home of this machine.
    """
  static let examples = [
    Example("mayday rules preview tern.rules", "Before mayday rules apply tern.rules.")
  ]

  @Argument("FILE", help: "Grouping rules; - is standard input.") var file: String?
  @OptionGroup var change = RuleChangeOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    let app = try store.app(named: change.app)
    let rules = try change.rules(file, for: app, in: store)
    let bar = ProgressBar("Reports", isOn: console.isErrorTerminal)
    let preview = try RulePreviewer(in: store, rules: rules).run(app) { bar.update($0, of: nil) }
    bar.finish()
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(preview)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    try console.write(lines: preview.lines)
    console.say(preview.summary)
  }
}

extension RulePreview {
  /// `38 reports: would merge 12 groups into 3, split 1, rename 40`
  var summary: String {
    var parts: [String] = []
    if merged.groups > 0 {
      parts.append("merge \(GroupText.count(merged.groups, "group", "groups")) into \(merged.into)")
    }
    if count(.split) > 0 { parts.append("split \(count(.split))") }
    if count(.rename) > 0 { parts.append("rename \(count(.rename))") }
    let what = parts.isEmpty ? "would change no group" : "would " + parts.joined(separator: ", ")
    return "\(GroupText.count(reports, "report", "reports")) in "
      + "\(GroupText.count(groups, "group", "groups")): \(what)"
  }

  fileprivate var lines: [String] {
    changes.flatMap { change -> [String] in
      let head = "\(change.kind.rawValue)  \(GroupText.count(change.reports, "report", "reports"))"
      return [head]
        + change.before.map { "  - \($0.group)  \($0.title)".printable }
        + change.after.map { "  + \($0)".printable }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ preview: RulePreview) {
    beginObject()
    member("reports", preview.reports)
    member("groups", preview.groups)
    member("merged_groups", preview.merged.groups)
    member("merged_into", preview.merged.into)
    member("split", preview.count(.split))
    member("renamed", preview.count(.rename))
    key("changes")
    beginArray()
    for change in preview.changes {
      beginObject()
      member("kind", change.kind.rawValue)
      member("reports", change.reports)
      key("before")
      beginArray()
      for group in change.before {
        beginObject()
        member("group", group.group)
        member("title", group.title)
        endObject()
      }
      endArray()
      member("after", change.after)
      endObject()
    }
    endArray()
    endObject()
  }
}
