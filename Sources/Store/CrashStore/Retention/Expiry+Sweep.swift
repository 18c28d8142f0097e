internal import Bytes
internal import Database
internal import Files
internal import Glibc
internal import Leases

/// Counts of contents that no row references any more.
public struct SweepResult: Equatable, Sendable {
  public var contents = 0
  /// Their size on disk, compressed.
  public var bytes = 0
  /// Whether a backup was reading contents, so that none were touched.
  public var isHeldUp = false

  public init() {}
}

extension CrashStore.Expiry {
  /// Seconds for which an unreferenced content is left alone: another process may have written it and
  /// be about to reference it.
  public static let contentGrace = 3600

  /// Free bytes on disk below which freed pages are returned before contents are deleted.
  private static let littleRoom: UInt64 = 16 << 20

  /// Deletes the contents that no row references, such as those of expired reports.
  ///
  /// Contents that were written, or found in the store, within the grace period are left alone.
  ///
  /// - Parameters:
  ///   - grace: The grace period in seconds; 0 only where no other process stores anything.
  ///   - isDry: Whether to count only.
  /// - Throws: `DatabaseError`, `FileError`.
  public func sweep(
    grace: Int = CrashStore.Expiry.contentGrace, isDry: Bool = false
  ) throws -> SweepResult {
    guard let lock = try store.leases.take(.contents) else {
      var result = SweepResult()
      result.isHeldUp = true
      return result
    }
    defer { withExtendedLifetime(lock) {} }
    let cutoff = ContentAges.now - max(grace, 0)
    try store.contents.markNow()
    // Anything referenced from here on was written, or found in the store, after the cutoff.
    let count = try store.read { database in
      try ContentReferences.queries.reduce(0) {
        $0 + (try database.requiredInteger("SELECT count(*) FROM (\($1)) AS digests"))
      }
    }
    let parts = UInt64(max(1, (count + ReferenceTable.limit - 1) / ReferenceTable.limit))
    // Expired rows take space until their pages are freed: on a full disk, before more is deleted.
    if !isDry, let space = try? DiskSpace(of: store.home), space.free < Self.littleRoom {
      try store.makeRoom()
    }
    var result = SweepResult()
    for part in 0..<parts {
      let table = try store.read { try ReferenceTable(part: part, of: parts, in: $0) }
      try store.contents.sweep(table, cutoff: cutoff, isDry: isDry, into: &result)
    }
    if !isDry {
      do {
        try ContentPacking.run(in: store.contents.database)
      } catch let error as DatabaseError where error.kind == .full {
        // The contents stay deleted; the next sweep packs the others.
      }
    }
    return result
  }
}

/// The referenced contents in a range of digests, as sorted digest prefixes. Two digests with the
/// same prefix are treated as one, which at worst retains an unreferenced content.
struct ReferenceTable {
  /// Maximum number of prefixes in one table, 8 bytes each.
  static let limit = 4_000_000

  let range: ClosedRange<UInt64>
  private var starts: [UInt64] = []

  /// - Parameter queries: Each selects a column of digests.
  init(
    named queries: [String] = ContentReferences.queries, part: UInt64, of parts: UInt64,
    in database: borrowing Connection
  ) throws {
    let width = UInt64.max / parts
    range = part * width...(part == parts - 1 ? UInt64.max : (part + 1) * width - 1)
    for query in queries {
      let rows = try database.prepare(query)
      while try rows.step() {
        // By position: each of the queries has one column.
        let start = Self.start(of: rows.blob(0))
        if range.contains(start) { starts.append(start) }
      }
    }
    starts.sort()
  }

  func contains(_ digest: [UInt8]) -> Bool {
    let start = Self.start(of: digest)
    let low = starts.lowerBound { $0 < start }
    return low < starts.count && starts[low] == start
  }

  /// The first eight bytes as a number, so that numbers sort like digests.
  static func start(of digest: [UInt8]) -> UInt64 {
    digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * max(0, 8 - digest.count))
  }

  /// A digest that sorts right before all digests with the given prefix.
  static func bytes(of start: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: start >> UInt64(56 - 8 * $0)) }
  }
}
