import Glibc

/// How much of the work of a test that can be repeated without end is done.
///
/// `make test` does what every change can wait for, `make test-all` all of it.
public enum TestSize {
  /// Whether `MAYDAY_TESTS` is `all`.
  public static let isAll = getenv("MAYDAY_TESTS").map { String(cString: $0) } == "all"

  /// `all` if everything is tested, otherwise `small`.
  public static func of(small: Int, all: Int) -> Int { isAll ? all : small }

  /// One in `small` of `list`, others for each change, or all if everything is tested.
  public static func some<Element>(of list: [Element], small: Int) -> [Element] {
    guard !isAll else { return list }
    return stride(from: Int(seed % UInt64(small)), to: list.count, by: small).map { list[$0] }
  }

  /// Seed of generated input: `MAYDAY_SEED`, a hexadecimal number as the name of a commit begins, so that
  /// each change tries others. 1 unless given.
  public static let seed =
    getenv("MAYDAY_SEED").flatMap { UInt64(String(cString: $0), radix: 16) } ?? 1
}
