import Glibc

/// The program that the build put beside the tests.
public enum BuiltProgram {
  /// The path of `mayday`.
  public static let mayday: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    let runner = String(
      decoding: path.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = runner.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)/mayday"
  }()
}
