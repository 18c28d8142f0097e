internal import Glibc
internal import SQLite

extension ServerStore {
  /// What is damaged in the database, in SQLite's words; nothing where it is whole.
  public func integrityProblems() throws -> [String] {
    try connection.withLock { try $0.integrityProblems() }
  }
}

extension WorkerLease {
  /// How many workers live that file what the queue holds.
  public static func living(in store: ServerStore) throws -> Int {
    guard let stream = opendir(store.home + "/intake") else { return 0 }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("worker-") { names.append(name) }
    }
    return names.count { isHeld($0, in: store) }
  }
}
