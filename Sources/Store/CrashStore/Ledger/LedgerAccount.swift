internal import Bytes

/// A number of things and their bytes.
public struct LedgerAmount: Hashable, Sendable {
  public var count = 0
  public var bytes = 0

  public init(count: Int = 0, bytes: Int = 0) {
    self.count = count
    self.bytes = bytes
  }

  static func + (left: LedgerAmount, right: LedgerAmount) -> LedgerAmount {
    LedgerAmount(
      count: left.count.addingClamped(right.count), bytes: left.bytes.addingClamped(right.bytes))
  }

  static func - (left: LedgerAmount, right: LedgerAmount) -> LedgerAmount {
    LedgerAmount(
      count: left.count.subtractingClamped(right.count),
      bytes: left.bytes.subtractingClamped(right.bytes))
  }
}

/// An amount with its parts by reason, the largest first.
public struct LedgerTotal: Hashable, Sendable {
  public struct ReasonAmount: Hashable, Sendable {
    public var reason: String
    public var amount: LedgerAmount

    public init(reason: String, amount: LedgerAmount) {
      self.reason = reason
      self.amount = amount
    }
  }

  public var amount = LedgerAmount()
  /// Empty where there are no reasons.
  public var parts: [ReasonAmount] = []

  public init(amount: LedgerAmount = LedgerAmount(), parts: [ReasonAmount] = []) {
    self.amount = amount
    self.parts = parts
  }
}

/// Everything that an app has received, and the outcomes.
///
/// `received` is the sum of `stored`, `counted`, `duplicates` and `refused`; `stored` is the sum of `kept`,
/// `expired` and `removed`; the same holds for reports.
public struct LedgerAccount: Hashable, Sendable {
  /// `nil` for files that were refused before their app was known.
  public var app: String?
  /// Submissions that arrived, repeated ones included.
  public var received = LedgerAmount()
  public var stored = LedgerAmount()
  /// Submissions whose reports were all only counted: nothing of them is stored.
  public var counted = LedgerTotal()
  public var duplicates = LedgerTotal()
  public var refused = LedgerTotal()
  /// Submissions that are still stored.
  public var kept = LedgerAmount()
  public var expired = LedgerTotal()
  public var removed = LedgerAmount()
  public var reportsStored = 0
  /// Reports that are still stored.
  public var reportsKept = 0
  public var reportsExpired = LedgerTotal()
  public var reportsRemoved = 0
  /// Reports that were only counted; not included in ``reportsStored``.
  public var reportsCounted = LedgerTotal()
  /// Reports beyond the limit of their submission; not among those that are stored.
  public var reportsLeftOut = LedgerTotal()

  public init(
    app: String? = nil, received: LedgerAmount = LedgerAmount(),
    stored: LedgerAmount = LedgerAmount(), counted: LedgerTotal = LedgerTotal(),
    duplicates: LedgerTotal = LedgerTotal(), refused: LedgerTotal = LedgerTotal(),
    kept: LedgerAmount = LedgerAmount(), expired: LedgerTotal = LedgerTotal(),
    removed: LedgerAmount = LedgerAmount(), reportsStored: Int = 0, reportsKept: Int = 0,
    reportsExpired: LedgerTotal = LedgerTotal(), reportsRemoved: Int = 0,
    reportsCounted: LedgerTotal = LedgerTotal(),
    reportsLeftOut: LedgerTotal = LedgerTotal()
  ) {
    self.app = app
    self.received = received
    self.stored = stored
    self.counted = counted
    self.duplicates = duplicates
    self.refused = refused
    self.kept = kept
    self.expired = expired
    self.removed = removed
    self.reportsStored = reportsStored
    self.reportsKept = reportsKept
    self.reportsExpired = reportsExpired
    self.reportsRemoved = reportsRemoved
    self.reportsCounted = reportsCounted
    self.reportsLeftOut = reportsLeftOut
  }
}

/// A sum that differs from the recount: a bug or corruption.
public struct LedgerFault: Hashable, Sendable {
  public var app: String?
  /// A description of the checked sum: `received: stored, known before and refused`.
  public var what: String
  /// The value in the ledger, or in a group's totals.
  public var ledger: Int
  public var counted: Int

  public init(app: String? = nil, what: String, ledger: Int, counted: Int) {
    self.app = app
    self.what = what
    self.ledger = ledger
    self.counted = counted
  }
}

/// The accounts of some apps, and their faults.
public struct Ledger: Hashable, Sendable {
  /// Sorted by the name of the app; the account without an app comes first.
  public var accounts: [LedgerAccount] = []
  /// Empty when all sums agree.
  public var faults: [LedgerFault] = []

  /// Creates an empty ledger.
  public init() {}
}
