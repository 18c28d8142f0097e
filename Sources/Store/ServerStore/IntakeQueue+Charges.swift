internal import Bytes
internal import Database

/// Charges from the worker, which knows the contents of submissions, to the server, which limits the rate.
extension IntakeQueue {
  /// The name of the fact that identifies the client whose share of the rate a submission uses, in a form
  /// that does not reveal its address.
  public static let clientFact = "client"

  /// Maximum number of clients with a charge: a server that is not running takes none out.
  private static let charges = 10_000

  /// Records contents of finished submissions beyond what was counted.
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

  /// Takes out the pending charges.
  ///
  /// - Throws: `DatabaseError`.
  public func takeCharges() throws -> [IntakeCharge] {
    // There is nearly always none, and then no writer is blocked.
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
