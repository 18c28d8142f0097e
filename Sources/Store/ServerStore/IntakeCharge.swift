/// The contents of a submission beyond what was counted when it was accepted.
public struct IntakeCharge: Equatable, Sendable {
  /// The client, as the server named it: see ``IntakeQueue/clientFact``.
  public var client: String
  /// The app, as named for the rate; empty where none was named.
  public var app: String
  /// Reports and refused files beyond the first.
  public var reports: Int
  /// Unpacked bytes beyond those that were sent.
  public var bytes: Int

  public init(client: String, app: String, reports: Int, bytes: Int) {
    self.client = client
    self.app = app
    self.reports = reports
    self.bytes = bytes
  }
}
