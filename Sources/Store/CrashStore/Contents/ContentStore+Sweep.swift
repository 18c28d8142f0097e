internal import Bytes
internal import Database
internal import Files
internal import Glibc

extension ContentStore {
  /// Rows that are checked, and at most deleted, in one transaction.
  private static let batch = 500

  func markNow() throws {
    try database.withLock { database in
      try database.transaction { try ContentAges.markNow(ContentAges.now, in: $0) }
    }
  }

  /// Deletes the contents of the table's range that are not in it and older than `cutoff`.
  func sweep(
    _ table: ReferenceTable, cutoff: Int, isDry: Bool, into result: inout SweepResult
  ) throws {
    try sweepRows(table, cutoff: cutoff, isDry: isDry, into: &result)
    for number in 0..<256 {
      let start = UInt64(number) << 56
      guard table.range.overlaps(start...(start | (1 << 56 - 1))) else { continue }
      let name = number.hexadecimalDigits(2)
      try folder.sweep(name, table, cutoff: cutoff, isDry: isDry, into: &result)
    }
  }

  private func sweepRows(
    _ table: ReferenceTable, cutoff: Int, isDry: Bool, into result: inout SweepResult
  ) throws {
    var after = ReferenceTable.bytes(of: table.range.lowerBound)
    let end = [UInt8](repeating: 0xff, count: 33)
    let (isLast, upper) = (
      table.range.upperBound == .max,
      ReferenceTable.bytes(of: table.range.upperBound) + [UInt8](repeating: 0xff, count: 25)
    )
    while true {
      let from = after
      let (found, next) = try database.withLock { database in
        let rows = try database.prepare(
          """
          SELECT digest FROM contents WHERE digest > ?1 AND digest < ?2 AND rowid <= ?3
          ORDER BY digest LIMIT \(Self.batch)
          """,
          [from, isLast ? end : upper, try ContentAges.lastRow(at: cutoff, in: database)])
        var found: [[UInt8]] = []
        var next: [UInt8]?
        while try rows.step() {
          let digest = try rows.blob("digest")
          next = digest
          if !table.contains(digest) { found.append(digest) }
        }
        return (found, next)
      }
      guard let next else { break }
      after = next
      guard !found.isEmpty else { continue }
      let gone = try removeInParts(found[...], cutoff: cutoff, isDry: isDry)
      result.contents += gone.count
      result.bytes += gone.reduce(0, +)
    }
    guard !isDry else { return }
    try database.withLock { database in
      try database.run("DELETE FROM reused WHERE time <= ?1", cutoff)
    }
  }

  /// Removes contents in one transaction, or in several shorter ones where the disk has no room for its log.
  ///
  /// - Returns: As ``remove(_:cutoff:isDry:)``.
  private func removeInParts(
    _ found: ArraySlice<[UInt8]>, cutoff: Int, isDry: Bool
  ) throws -> [Int] {
    do {
      return try remove(Array(found), cutoff: cutoff, isDry: isDry)
    } catch let error as DatabaseError where error.kind == .full && found.count > 1 {
      try database.withLock { try $0.makeRoom() }
      let half = found.startIndex + found.count / 2
      return try removeInParts(found[..<half], cutoff: cutoff, isDry: isDry)
        + removeInParts(found[half...], cutoff: cutoff, isDry: isDry)
    }
  }

  /// - Returns: The sizes of the contents that were deleted, or would be.
  private func remove(
    _ found: [[UInt8]], cutoff: Int, isDry: Bool
  ) throws -> [Int] {
    try database.withLock { database in
      try database.transaction { database in
        let last = try ContentAges.lastRow(at: cutoff, in: database)
        var gone: [Int] = []
        for digest in found {
          let isReused = try database.integer(
            "SELECT 1 FROM reused WHERE digest = ?1 AND time > ?2", digest, cutoff)
          guard isReused == nil,
            try BlockTable.has(digest, in: database)
          else { continue }
          let size = try BlockTable.storedSize(of: digest, in: database) ?? 0
          if !isDry {
            // Another process may have deleted it, and a third one written it anew.
            let (isRemoved, _) = try BlockTable.remove(digest, in: 0...max(last, 0), of: database)
            guard isRemoved else { continue }
          }
          gone.append(size)
        }
        if !isDry { try ContentAges.clamp(in: database) }
        return gone
      }
    }
  }
}

extension BlobFolder {
  /// Deletes the files of one folder that the table does not name and that have not been touched since
  /// `cutoff`.
  func sweep(
    _ name: String, _ table: ReferenceTable, cutoff: Int, isDry: Bool,
    into result: inout SweepResult
  ) throws(FileError) {
    let folder = "\(path)/\(name)"
    for file in try Self.names(in: folder) {
      guard let digest = CrashStore.Reports.bytes(ofHex: String(file.prefix(64))),
        file.count == 64 || file.dropFirst(64) == ".zst",
        table.range.contains(ReferenceTable.start(of: digest)), !table.contains(digest)
      else { continue }
      let filePath = "\(folder)/\(file)"
      guard let size = Self.untouchedSize(filePath, since: cutoff) else { continue }
      if !isDry {
        // Move it away first: a process that still finds it touches it, any other writes it anew.
        let aside = "\(path)/new/\(file).old"
        guard (try? Folder.rename(filePath, to: aside)) != nil else { continue }
        guard Self.untouchedSize(aside, since: cutoff) != nil else {
          try? Folder.rename(aside, to: filePath)
          continue
        }
        unlink(aside)
      }
      result.contents += 1
      result.bytes += size
    }
  }

  private static func untouchedSize(_ file: String, since cutoff: Int) -> Int? {
    var status = stat()
    guard stat(file, &status) == 0, status.st_mtim.tv_sec <= cutoff else { return nil }
    return Int(status.st_size)
  }

  /// Returns the names in a folder, sorted; none when the folder does not exist.
  ///
  /// - Throws: `FileError` where it cannot be read.
  static func names(in folder: String) throws(FileError) -> [String] {
    do throws(FileError) {
      return try FolderNames.listed(folder).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      if error.code == ENOENT { return [] }
      throw error
    }
  }
}
