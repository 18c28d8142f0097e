internal import CrashModel

/// The images that frames name, one for each name.
struct NamedImages {
  var images: [LoadedImage] = []
  private var indices: [String: Int] = [:]

  /// The index of the image called `text`, which may be a path; `nil` if the limit is reached.
  mutating func index(of text: String) -> Int? {
    if let index = indices[text] { return index }
    guard !text.isEmpty, images.count < FormatLimits.images else { return nil }
    let name = text.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? text
    images.append(LoadedImage(name: name, path: name == text ? nil : text))
    indices[text] = images.count - 1
    return images.count - 1
  }
}
