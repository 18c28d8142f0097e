/// Which debug files and images belong together by their names, where the report names no build.
public enum DebugFileName {
  private static let windowsEndings = [".pdb", ".exe", ".dll"]

  /// The names that a file for `image` may have. Breakpad's tools put `.sym` in the place of what a
  /// Windows program's name ends with, and after other names.
  public static func names(of image: LoadedImage) -> [String] { names(ofImage: image.fileName) }

  /// The names that a file for an image may have.
  ///
  /// - Parameter name: As ``LoadedImage/fileName``.
  public static func names(ofImage name: String) -> [String] {
    let ending = windowsEndings.first { name.lowercased().hasSuffix($0) } ?? ""
    return [name, name + ".debug", name.dropLast(ending.count) + ".sym"]
  }

  /// The names of the images that a file of this name may explain: the other way round of
  /// ``names(ofImage:)``, with endings in lower and in upper case.
  public static func imageNames(ofFile name: String) -> [String] {
    var names = [name]
    if name.hasSuffix(".debug") { names.append(String(name.dropLast(6))) }
    if name.hasSuffix(".sym") {
      let stem = String(name.dropLast(4))
      names += [stem] + windowsEndings.flatMap { [stem + $0, stem + $0.uppercased()] }
    }
    return names
  }
}
