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
  public struct Part: Hashable, Sendable {
    public var reason: String
    public var amount: LedgerAmount

    public init(reason: String, amount: LedgerAmount) {
      self.reason = reason
      self.amount = amount
    }
  }

  public var amount = LedgerAmount()
  /// Empty where there is no reason to tell.
  public var parts: [Part] = []

  public init(amount: LedgerAmount = LedgerAmount(), parts: [Part] = []) {
    self.amount = amount
    self.parts = parts
  }
}

/// All that came for an app since the beginning, and what became of it.
///
/// `received` is `stored` and `counted` and `duplicates` and `refused`; `stored` is `kept` and `expired` and
/// `removed`; the same holds for reports.
public struct LedgerAccount: Hashable, Sendable {
  /// `nil` for files that were refused before anybody knew for which app they were meant.
  public var app: String?
  /// Submissions that came, however often.
  public var received = LedgerAmount()
  public var stored = LedgerAmount()
  /// Submissions of whose reports each was only counted: nothing of them is kept.
  public var counted = LedgerTotal()
  public var duplicates = LedgerTotal()
  public var refused = LedgerTotal()
  /// Submissions that are there.
  public var kept = LedgerAmount()
  public var expired = LedgerTotal()
  public var removed = LedgerAmount()
  public var reportsStored = 0
  /// Reports that are there.
  public var reportsKept = 0
  public var reportsExpired = LedgerTotal()
  public var reportsRemoved = 0
  /// Reports that were only counted; they are none of ``reportsStored``.
  public var reportsCounted = LedgerTotal()
  /// Reports that came with more than a submission may hold; they are not among those that are stored.
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

/// A sum that does not agree with what is counted afresh: a mistake of the program, or damage.
public struct LedgerFault: Hashable, Sendable {
  public var app: String?
  /// The sum that was checked, in words: `received: stored, known before and refused`.
  public var what: String
  /// What stands in the ledger, or in a group's figures.
  public var ledger: Int
  public var counted: Int

  public init(app: String? = nil, what: String, ledger: Int, counted: Int) {
    self.app = app
    self.what = what
    self.ledger = ledger
    self.counted = counted
  }
}

/// The accounts of some apps, and whether they are right.
public struct Ledger: Hashable, Sendable {
  /// By the name of the app; the one without app comes first.
  public var accounts: [LedgerAccount] = []
  /// Empty when all sums agree.
  public var faults: [LedgerFault] = []

  /// Nothing came so far.
  public init() {}
}
