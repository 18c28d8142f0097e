#if DEBUG
  internal import Files
  internal import Glibc
  internal import Synchronization

  /// Writes each statement that is prepared, once, as a line to the file that `MAYDAY_RECORD_STATEMENTS`
  /// names; in debug builds only. The test that prepares all statements in several databases needs those that
  /// the program puts together while it runs: see `make statements`.
  enum StatementRecorder {
    /// Open as long as the process runs.
    private static let file: Int32? = getenv("MAYDAY_RECORD_STATEMENTS").flatMap { path in
      guard let file = try? OpenFile.changing(String(cString: path), isMade: true) else {
        return nil
      }
      // Several processes write to it, a line at a time.
      _ = fcntl(file.number, F_SETFL, O_APPEND)
      let number = fcntl(file.number, F_DUPFD_CLOEXEC, 3)
      return number < 0 ? nil : number
    }
    private static let known = Mutex<Set<String>>([])

    static func note(_ sql: String) {
      guard let file, known.withLock({ $0.insert(sql).inserted }) else { return }
      let line = sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ") + "\n"
      let bytes = Array(line.utf8)
      // Tests fill disks: a statement that is missing in the list is missed there.
      _ = write(file, bytes, bytes.count)
    }
  }
#endif
