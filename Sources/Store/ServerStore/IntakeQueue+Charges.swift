internal import Bytes
internal import Database

/// From the worker, which knows what a submission held, to the server, which counts what comes.
extension IntakeQueue {
  /// The name of the fact that says whose share of the rate a submission takes: an address that nobody can read out
  /// of it.
  public static let clientFact = "client"

  /// The most clients with a charge: a server that does not run takes none out.
  private static let charges = 10_000

  /// Notes what finished submissions held beyond what was counted.
  static func note(_ charges: [IntakeCharge], in database: borrowing Connection) throws {
    guard !charges.isEmpty else { return }
    for charge in charges {
      try database.insert(
        into: "intake_charges",
        [
          "client": charge.client, "app": charge.app, "reports": charge.reports,
          "bytes": charge.bytes,
        ],
        onConflict: """
          ON CONFLICT (client, app) DO UPDATE SET reports = intake_charges.reports + excluded.reports,
            bytes = intake_charges.bytes + excluded.bytes
          """)
    }
    guard try database.requiredInteger("SELECT count(*) FROM intake_charges") > Self.charges else {
      return
    }
    try database.run("DELETE FROM intake_charges")
  }

  /// Takes out what is to be charged.
  ///
  /// - Throws: `DatabaseError`.
  public func takeCharges() throws -> [IntakeCharge] {
    // Nearly always there is none, and nobody is kept from writing.
    let isThere = try store.read { try $0.integer("SELECT 1 FROM intake_charges LIMIT 1") != nil }
    guard isThere else { return [] }
    return try store.write { database in
      let rows = try database.prepare(
        "DELETE FROM intake_charges RETURNING client, app, reports, bytes")
      var charges: [IntakeCharge] = []
      while try rows.step() {
        try charges.append(
          IntakeCharge(
            client: rows.text("client"), app: rows.text("app"), reports: rows.count("reports"),
            bytes: rows.count("bytes")))
      }
      return charges
    }
  }
}
