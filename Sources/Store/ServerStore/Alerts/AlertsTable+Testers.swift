internal import Database

/// The mail server for mails to testers: that of a target of alerts.
extension AlertsTable {
  private static let setting = "tester_mail"

  /// The mail server and the addresses for mails to testers.
  public struct TesterMailing: Hashable, Sendable {
    /// The target whose server, sender and password are used; its recipients are not.
    public var target: AlertTarget
    public var mail: AlertTarget.Mail
    /// The server's address as people reach it, without a trailing slash.
    public var url: String
  }

  /// Returns what mails to testers are sent with: the target that was chosen, or the only one for mail; `nil`
  /// where there is none, or several of which none was chosen, and before the first start of the server.
  ///
  /// - Throws: `DatabaseError`.
  public func testerMailing() throws -> TesterMailing? {
    guard let url = try serverURL() else { return nil }
    let chosen = try store.read { database in
      try database.text("SELECT value FROM server_settings WHERE name = ?1", Self.setting)
    }
    let found = try targets().compactMap { target -> TesterMailing? in
      guard case .mail(let mail) = target.way else { return nil }
      return TesterMailing(target: target, mail: mail, url: url)
    }
    return found.first { $0.target.name == chosen } ?? (found.count == 1 ? found[0] : nil)
  }

  /// Chooses the target whose mail server sends mails to testers.
  ///
  /// - Throws: `DatabaseError`.
  public func chooseForTesters(_ target: String) throws {
    try store.write { database in
      try database.insert(
        into: "server_settings", ["name": Self.setting, "value": target],
        onConflict: "ON CONFLICT (name) DO UPDATE SET value = excluded.value")
    }
  }
}
