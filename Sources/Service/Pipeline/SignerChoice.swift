public import CrashStore
public import Grouping
internal import Synchronization

/// The signer for the reports of an app.
public struct SignerChoice: Sendable {
  private enum Choice: Sendable {
    case same(Signer)
    case stored(StoredSigners)
  }

  private let choice: Choice

  /// Uses one signer for all apps.
  public init(_ signer: Signer) { choice = .same(signer) }

  /// Uses the signers that the apps of a store have chosen.
  ///
  /// - Parameter standard: The signer for an app that the store doesn't know yet.
  public init(in store: CrashStore, standard: Signer) {
    choice = .stored(StoredSigners(store, standard))
  }

  /// - Throws: `DatabaseError`, ``StoreError/damaged(_:)`` for rules that this program cannot read.
  public func signer(for app: String) throws -> Signer {
    switch choice {
    case .same(let signer): signer
    case .stored(let signers): try signers.signer(for: app)
    }
  }

  /// Returns the signer whose rules have a digest, among all that an app ever had; `nil` if none has it.
  ///
  /// - Throws: See ``signer(for:)``.
  public func signer(for app: String, digest: String) throws -> Signer? {
    switch choice {
    case .same(let signer): signer.rules.digest == digest ? signer : nil
    case .stored(let signers): try signers.signer(for: app, digest: digest)
    }
  }
}

/// Cached signers: a signer caches names, so each is kept while its rules are in force.
private final class StoredSigners: Sendable {
  private let store: CrashStore
  private let standard: Signer
  private let known = Mutex<[String: (number: Int, signer: Signer)]>([:])

  init(_ store: CrashStore, _ standard: Signer) {
    self.store = store
    self.standard = standard
  }

  func signer(for app: String) throws -> Signer {
    guard let current = try store.rules.current(of: app) else { return standard }
    if current.number == 0, current.standard == standard.rules.version { return standard }
    if let signer = known.withLock({ $0[app] }), signer.number == current.number {
      return signer.signer
    }
    // The rules may have changed since.
    let record = try store.rules.history(of: app).first
    let rules = try record.map { try GroupingRules($0) } ?? beginning(of: app, current.standard)
    let signer = Signer(rules: rules)
    known.withLock { $0[app] = (record?.number ?? 0, signer) }
    return signer
  }

  private func beginning(of app: String, _ version: String) throws -> GroupingRules {
    guard let rules = GroupingRules(builtIn: version) else {
      throw StoreError.damaged("\(app) began with the built-in rules '\(version)'")
    }
    return rules
  }

  func signer(for app: String, digest: String) throws -> Signer? {
    for rules in GroupingRules.builtIn where rules.digest == digest { return Signer(rules: rules) }
    guard try store.rules.current(of: app) != nil else { return nil }
    for record in try store.rules.history(of: app) where record.digest == digest {
      let rules = try GroupingRules(record)
      // Another version of the program had other lists.
      return rules.digest == digest ? Signer(rules: rules) : nil
    }
    return nil
  }
}

extension GroupingRules {
  /// Creates the rules that an app chose.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for rules that this program cannot read.
  public init(_ record: RuleSetRecord) throws {
    let name = "rules \(record.number) of \(record.app)"
    guard let builtIn = GroupingRules(builtIn: record.builtIn) else {
      throw StoreError.damaged("\(name) are based on the built-in rules '\(record.builtIn)'")
    }
    do {
      self = builtIn.with(record.text.isEmpty ? nil : try CustomRules(parsing: record.text))
    } catch {
      throw StoreError.damaged("\(name): \(error)")
    }
  }
}
