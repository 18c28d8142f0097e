public import Bytes

/// The project's samples and debug files.
public enum Samples {
  /// The folder of the project.
  public static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/")
  /// The folders of the samples, and of the files that symbolicate them.
  public static let folder = root + "/Samples"
  public static let symbolsFolder = root + "/Symbols"
  /// A universal program, and a small one for Linux.
  public static let universal = debugFile("apple/1.1.0/macos/Tern.app.dSYM")
  public static let tern = debugFile("variants/plain")
  public static let symbols = debugFile("apple")

  public static let apple = "apple-ips/null-read-1.1.0-ios-arm64.ips"
  public static let appleText = "apple-crash/null-read-1.0.0-ios-arm64.crash"
  public static let sanitizer = "sanitizer/null-read-asan-1.0.0-clang-O0.txt"

  /// Every sample, by its path below `Samples`.
  public static let all = list(folder).filter { $0.contains("/") }
  /// Every file under `Symbols`, by its path there.
  public static let allSymbols = list(symbolsFolder)

  /// The samples of one folder, by their paths below `Samples`.
  public static func all(in folder: String) -> [String] {
    let found = all.filter { $0.hasPrefix(folder + "/") }
    guard !found.isEmpty else { fatalError("\(folder) has no samples") }
    return found
  }

  /// The path of a sample, such as `apple-ips/trap-1.0.0-macos-x86_64.ips`.
  public static func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The path of a file or folder below `Symbols`.
  public static func debugFile(_ name: String) -> String { "\(symbolsFolder)/\(name)" }

  public static func view(_ name: String) throws -> ByteView {
    try ByteView(reading: path(name), limit: 1 << 24)
  }

  public static func bytes(_ name: String) throws -> [UInt8] { try view(name).array }

  /// A test with an empty list of samples would pass: the list is never empty.
  private static func list(_ folder: String) -> [String] {
    do {
      let files = try FolderListing.files(below: folder)
      guard files.isEmpty else { return files }
      fatalError("\(folder) is empty")
    } catch {
      fatalError("\(error)")
    }
  }
}
