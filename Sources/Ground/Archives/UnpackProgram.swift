internal import Synchronization

/// Which program is started to unpack.
public enum UnpackProgram {
  private static let stored = Mutex("/proc/self/exe")

  /// A program that calls ``UnpackChild/run()`` when its first argument is
  /// ``UnpackChild/subcommand``: this one, unless somebody says otherwise, as tests do.
  public static var path: String {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
