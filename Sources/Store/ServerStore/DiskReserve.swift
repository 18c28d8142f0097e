public import Bytes

/// Space on the disk of a home that no incoming data may fill: the worker needs it to store accepted
/// submissions, and `gc` to delete expired data. Without it, a disk that is full once stays full.
///
///     free >= bytes + space to store the backlog        submissions and uploads are accepted
///     free >= bytes / 2                                 accepted submissions are stored
///     below                                             only commands such as `gc` write anything
///
/// Waiting submissions can therefore always be stored, unless another program takes the space. Everything
/// resumes by itself when there is space again.
public struct DiskReserve: Sendable {
  public typealias Measure = @Sendable (_ path: String) throws(FileError) -> DiskSpace

  /// The default number of bytes kept free; on a small disk a tenth of its size.
  public static let usual = 512 << 20
  private static let usualShare: UInt64 = 10

  /// Bytes written per stored byte: in logs of databases, databases and documents.
  private static let workFactor: UInt64 = 4

  /// Space for storing a submission in nearly all cases, besides the log in which it waits: per submission,
  /// and per byte of it.
  private static let stored = (each: UInt64(16 << 10), byte: UInt64(2))

  /// Bytes of a stored report in nearly all cases, besides its submission and document.
  private static let report: UInt64 = 8 << 10

  /// Minimum number of files that can still be created.
  private static let files: UInt64 = 100

  private let home: String
  private let bytes: Int?
  private let measure: Measure

  /// - Parameters:
  ///   - bytes: Bytes to keep free. Default: ``usual``.
  ///   - measure: Returns the space left on the disk of a path.
  public init(
    home: String, bytes: Int? = nil,
    measure: @escaping Measure = { (path) throws(FileError) in try DiskSpace(of: path) }
  ) {
    self.home = home
    self.bytes = bytes
    self.measure = measure
  }

  /// Checks that `size` more bytes may be accepted from outside.
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

  /// Checks that accepted submissions may be stored.
  ///
  /// - Throws: ``IntakeError/reserve(free:reserve:)``, ``IntakeError/storage(_:)``
  public func admitWork() throws(IntakeError) {
    let (space, reserve) = try look()
    guard space.free >= reserve / 2 else { throw .reserve(free: space.free, reserve: reserve / 2) }
  }

  /// Checks that a part of accepted submissions may be stored.
  ///
  /// Data that was counted on acceptance may use half of the reserve. A submission that turned out to contain
  /// more must leave the reserve, and the space for storing the others.
  ///
  /// - Parameters:
  ///   - reports: The number of reports in the part.
  ///   - bytes: Bytes written for them, compressed.
  ///   - before: Bytes written before for the same submissions, by this count.
  ///   - accepted: The submissions to which the part belongs.
  ///   - backlog: Everything that is still to be stored.
  /// - Returns: The total to pass as `before` for the next part.
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

  /// Maximum number of bytes of submissions to take at once: storing them takes several times as much.
  ///
  /// A disk that cannot be measured sets no limit: the work itself fails then.
  func batch(atMost bytes: Int) -> Int {
    guard let (space, reserve) = try? look() else { return bytes }
    let room = space.free > reserve / 2 ? space.free - reserve / 2 : 0
    return min(bytes, Int(clamping: room / Self.workFactor))
  }

  /// The free space, and how much of it must stay free.
  private func look() throws(IntakeError) -> (DiskSpace, UInt64) {
    let space: DiskSpace
    do throws(FileError) {
      space = try measure(home)
    } catch {
      throw .storage("\(error)")
    }
    if space.isReadOnly { throw .storage("\(home): the file system is read-only") }
    if let files = space.freeFiles, files < Self.files {
      throw .diskFull("\(home): only \(files) more files can be created")
    }
    return (
      space,
      bytes.map { UInt64(clamping: $0) } ?? min(UInt64(Self.usual), space.total / Self.usualShare)
    )
  }
}
