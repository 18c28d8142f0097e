import Arguments
import CrashStore
import Grouping
import Pipeline
import Rendering
import Terminal

/// The app's new rules, which `apply` sets and `preview` tries.
struct RuleChangeOptions {
  @Option("-a", "--app", help: "The app; optional if there is only one.", value: "NAME") var app:
    String?
  @Option(
    "--builtin", help: "The built-in rules: v1; by default those of the app.", value: "VERSION")
  var version: String?
  /// The rules that the app would have.
  ///
  /// - Parameter file: The custom rules; `nil` for the app's current ones.
  func rules(_ file: String?, for app: String, in store: CrashStore) throws -> GroupingRules {
    let current = try GroupingRules.inForce(for: app, in: store)
    let builtIn = try version.map { try GroupingRules(named: $0) } ?? current.with(nil)
    return builtIn.with(try file.map { try CustomRules(file: $0) } ?? current.own)
  }
}

extension CrashStore {
  /// The named app, or the only one.
  ///
  /// - Throws: ``UsageError`` if none was named and there is none, or more than one.
  func app(named given: String?) throws -> String {
    if let given { return given }
    let names = try apps.list().map(\.name)
    guard let only = names.first, names.count == 1 else {
      throw UsageError(
        names.isEmpty
          ? "--app is missing: there is no app yet"
          : "--app is missing: the apps are \(names.joined(separator: ", "))")
    }
    return only
  }
}

extension GroupingRules {
  /// The current rules of an app.
  static func inForce(for app: String, in store: CrashStore) throws -> GroupingRules {
    if let record = try store.rules.history(of: app).first { return try GroupingRules(record) }
    return try GroupingRules(named: store.rules.standard(of: app))
  }
}
