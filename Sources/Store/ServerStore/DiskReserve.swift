public import Bytes

/// Room on the disk of a home that nothing from outside may fill: the worker needs it to store what was
/// accepted, and `gc` to delete what has expired. Without it a disk that is full once stays full.
///
///     free >= bytes + what storing takes that waits     submissions and uploads are accepted
///     free >= bytes / 2                                 what was accepted is stored
///     below                                             nothing is written but by commands such as `gc`
///
/// So what waits can always be stored, unless another program takes the room. Everything goes on by
/// itself when there is room again.
public struct DiskReserve: Sendable {
  public typealias Measure = @Sendable (_ path: String) throws(FileError) -> DiskSpace

  /// The most bytes that are kept free where nobody chose a number; on a small disk a tenth of it.
  public static let usual = 512 << 20
  private static let usualShare: UInt64 = 10

  /// Bytes that are written for a byte that is stored: in logs of databases, in them, in documents.
  private static let workFactor: UInt64 = 4

  /// What storing a submission takes nearly always, beside the log in which it waits: for each, and for
  /// each byte of it.
  private static let stored = (each: UInt64(16 << 10), byte: UInt64(2))

  /// Bytes that a report takes nearly always once it is stored, beside its submission and document.
  private static let report: UInt64 = 8 << 10

  /// Files that must be left to be made.
  private static let files: UInt64 = 100

  private let home: String
  private let bytes: Int?
  private let measure: Measure

  /// - Parameters:
  ///   - bytes: How much is kept free; `nil` for the usual.
  ///   - measure: What the disk of a path has left.
  public init(
    home: String, bytes: Int? = nil,
    measure: @escaping Measure = { (path) throws(FileError) in try DiskSpace(of: path) }
  ) {
    self.home = home
    self.bytes = bytes
    self.measure = measure
  }

  /// Whether `size` more bytes may come in from outside.
  ///
  /// - Parameter backlog: Accepted submissions that are not stored yet.
  /// - Throws: ``IntakeError/reserve(free:reserve:)``, ``IntakeError/storage(_:)``
  public func admit(_ size: Int, besides backlog: Backlog = Backlog()) throws(IntakeError) {
    let (space, reserve) = try look()
    let kept = Self.sum(reserve, Self.room(for: backlog))
    guard size >= 0, space.free >= Self.sum(UInt64(clamping: size), kept) else {
      throw .reserve(free: space.free, reserve: kept)
    }
  }

  private static func room(for backlog: Backlog) -> UInt64 {
    let (each, isMuch) = UInt64(clamping: backlog.count)
      .multipliedReportingOverflow(by: stored.each)
    let (bytes, isMore) = UInt64(clamping: backlog.bytes)
      .multipliedReportingOverflow(by: stored.byte)
    return isMuch || isMore ? .max : sum(each, bytes)
  }

  private static func sum(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let (sum, isTooMuch) = first.addingReportingOverflow(second)
    return isTooMuch ? .max : sum
  }

  /// Whether what was accepted may be stored.
  ///
  /// - Throws: ``IntakeError/reserve(free:reserve:)``, ``IntakeError/storage(_:)``
  public func admitWork() throws(IntakeError) {
    let (space, reserve) = try look()
    guard space.free >= reserve / 2 else { throw .reserve(free: space.free, reserve: reserve / 2) }
  }

  /// Whether a part of what was accepted may be stored.
  ///
  /// What was counted when it was accepted may use half of the reserve. A submission that turned out to hold more
  /// must leave the reserve, and what storing the others will need.
  ///
  /// - Parameters:
  ///   - reports: Those of the part.
  ///   - bytes: What is written for them, compressed.
  ///   - before: Bytes that were written of the same submissions before, by this count.
  ///   - accepted: The submissions of which it is a part.
  ///   - backlog: All that is to be stored yet.
  /// - Returns: Bytes that are written for the part, for the next one's `before`.
  /// - Throws: ``IntakeError/reserve(free:reserve:)``, ``IntakeError/storage(_:)``
  public func admitPart(
    reports: Int, bytes: Int, after before: UInt64, of accepted: Backlog, besides backlog: Backlog
  ) throws(IntakeError) -> UInt64 {
    let (rows, isTooMuch) = UInt64(clamping: reports).multipliedReportingOverflow(by: Self.report)
    let need = Self.sum(isTooMuch ? .max : rows, UInt64(clamping: bytes))
    let all = Self.sum(before, need)
    if all <= Self.room(for: accepted) {
      try admitWork()
    } else {
      try admit(Int(clamping: need), besides: backlog)
    }
    return all
  }

  /// How many bytes of submissions may be taken in hand at once: storing them takes several times as much.
  ///
  /// A disk that cannot be looked at sets no bound: the work itself fails then.
  func batch(atMost bytes: Int) -> Int {
    guard let (space, reserve) = try? look() else { return bytes }
    let room = space.free > reserve / 2 ? space.free - reserve / 2 : 0
    return min(bytes, Int(clamping: room / Self.workFactor))
  }

  /// What is free, and how much of it must stay free.
  private func look() throws(IntakeError) -> (DiskSpace, UInt64) {
    let space: DiskSpace
    do throws(FileError) {
      space = try measure(home)
    } catch {
      throw .storage("\(error)")
    }
    if space.isReadOnly { throw .storage("\(home): the file system is read-only") }
    if let files = space.freeFiles, files < Self.files {
      throw .diskFull("\(home): only \(files) more files can be made")
    }
    return (
      space,
      bytes.map { UInt64(clamping: $0) } ?? min(UInt64(Self.usual), space.total / Self.usualShare)
    )
  }
}
