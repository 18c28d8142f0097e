internal import CrashModel
package import CrashStore
internal import Grouping
internal import Pipeline

extension Explanation {
  /// Quotes the rules that the report was grouped by, where its app has rules of its own.
  ///
  /// - Throws: `RuleSetError` for stored rules that cannot be read; `DatabaseError`.
  package mutating func quoteRules(in store: CrashStore) throws {
    guard let digest = report.engine?.rulesDigest,
      let rules = try SignerChoice(in: store, standard: Signer(rules: .standard))
        .signer(for: app, digest: digest)?.rules
    else { return }
    ruleSet = rules
  }
}
