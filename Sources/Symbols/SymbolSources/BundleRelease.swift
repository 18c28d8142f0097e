internal import Bytes
internal import Files
internal import Identifiers

/// The release named by a dSYM bundle in its `Contents/Info.plist`: that of the program it was made from.
///
///     <key>CFBundleShortVersionString</key>
///     <string>1.4.0</string>
///     <key>CFBundleVersion</key>
///     <string>512</string>
///
/// `dsymutil` writes the list as plain XML, with these keys as they are in the program's own list. For a
/// program without a list it writes 1.0 and 1, which are therefore ignored.
///
/// Source: createPlistFile of LLVM's `dsymutil.cpp`, CFBundleInfo of its `CFBundle.h`.
enum BundleRelease {
  /// The path of a debug file after the bundle's folder.
  private static let inside = ".dSYM/Contents/Resources/DWARF/"
  private static let list = ".dSYM/Contents/Info.plist"
  private static let unknown = Release(version: "1.0", build: "1")
  private static let limit = 64 << 10

  /// The path of the list of the bundle that contains a debug file; `nil` outside bundles.
  static func listPath(forFileAt path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), path[...slash].hasSuffix(inside) else { return nil }
    return path[...slash].dropLast(inside.utf8.count) + list
  }

  static func isList(_ path: String) -> Bool { path.hasSuffix(list) }

  /// The release in the list on disk.
  static func ofList(at path: String) -> Release? {
    // Without the list, or with one that cannot be read, the release is unknown, as for other files.
    guard let file = try? OpenFile.opening(path), let bytes = try? file.head(limit, name: path)
    else { return nil }
    return ofList(bytes)
  }

  static func ofList(_ bytes: ByteView) -> Release? {
    guard bytes.count <= limit else { return nil }
    let text = bytes.text
    let release = Release(
      version: value(of: "CFBundleShortVersionString", in: text) ?? "",
      build: value(of: "CFBundleVersion", in: text) ?? "")
    return release.version.isEmpty || release == unknown ? nil : release
  }

  private static func value(of key: String, in text: String) -> String? {
    let (open, close) = ("<string>", "</string>")
    guard let found = text.firstRange(of: "<key>\(key)</key>"),
      let start = text[found.upperBound...].firstRange(of: open),
      text[found.upperBound..<start.lowerBound].allSatisfy(\.isWhitespace),
      let end = text[start.upperBound...].firstRange(of: close)
    else { return nil }
    let value = text[start.upperBound..<end.lowerBound]
    // An escaped text is not a version that reports contain.
    guard value.utf8.count <= 256, !value.contains("&"), !value.contains("<") else { return nil }
    return String(value)
  }
}
