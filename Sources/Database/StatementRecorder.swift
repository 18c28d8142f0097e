#if DEBUG
  internal import Glibc
  internal import Synchronization

  /// Writes each statement that is prepared, once, as a line to the file that `MAYDAY_RECORD_STATEMENTS`
  /// names; in debug builds only. The test that prepares all statements in several databases needs those that
  /// the program puts together while it runs: see `make statements`.
  enum StatementRecorder {
    private static let file: Int32? = getenv("MAYDAY_RECORD_STATEMENTS").map {
      open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
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
