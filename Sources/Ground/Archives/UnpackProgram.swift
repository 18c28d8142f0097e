internal import Synchronization

/// The program that is started to unpack archives.
public enum UnpackProgram {
  private static let stored = Mutex("/proc/self/exe")

  /// A program that calls ``UnpackChild/run()`` when its first argument is
  /// ``UnpackChild/subcommand``. Default: this program; tests set another.
  public static var path: String {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
