public import Bytes

/// Room on the disk of a home that nothing from outside may fill: the worker needs it to store what was
/// accepted, and `gc` to delete what has expired. Without it a disk that is full once stays full.
///
///     free >= bytes          submissions and uploads are accepted
///     free >= bytes / 2      what was accepted is stored
///     below                  nothing is written but by commands such as `gc`
///
/// Everything goes on by itself when there is room again.
public struct DiskReserve: Sendable {
  public typealias Measure = @Sendable (_ path: String) throws(FileError) -> DiskSpace

  /// The most bytes that are kept free where nobody chose a number; on a small disk a tenth of it.
  public static let usual = 512 << 20
  private static let usualShare: UInt64 = 10

  /// Bytes that are written for a byte that is stored: in logs of databases, in them, in documents.
  private static let workFactor: UInt64 = 4

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
  /// - Throws: ``IntakeError/reserve(free:reserve:)``, ``IntakeError/storage(_:)``
  public func admit(_ size: Int) throws(IntakeError) {
    let (space, reserve) = try look()
    let (needed, isTooMuch) = UInt64(clamping: size).addingReportingOverflow(reserve)
    guard !isTooMuch, space.free >= needed else {
      throw .reserve(free: space.free, reserve: reserve)
    }
  }

  /// Whether what was accepted may be stored.
  ///
  /// - Throws: ``IntakeError/reserve(free:reserve:)``, ``IntakeError/storage(_:)``
  public func admitWork() throws(IntakeError) {
    let (space, reserve) = try look()
    guard space.free >= reserve / 2 else { throw .reserve(free: space.free, reserve: reserve / 2) }
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
