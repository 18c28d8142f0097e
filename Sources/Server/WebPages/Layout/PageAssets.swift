internal import Bytes
internal import Crypto
internal import HTTP
internal import Rendering

/// The files that pages load. Their names contain a digest, so that browsers can cache them for ever.
struct PageAssets: Sendable {
  private struct File: Sendable {
    let path: String
    let bytes: ByteView
    let type: String

    init(_ text: String, end: String, type: String) {
      bytes = ByteView(text.utf8)
      path = "/assets/mayday-\(SHA256.hex(of: bytes).prefix(16)).\(end)"
      self.type = type
    }
  }

  private static let style = File(
    PageStyle.css + "\n" + String(decoding: PackageResources.pages_css, as: UTF8.self),
    end: "css", type: "text/css; charset=utf-8")
  private static let script = File(
    String(decoding: PackageResources.pages_js, as: UTF8.self)
      + String(decoding: PackageResources.completion_js, as: UTF8.self), end: "js",
    type: "text/javascript; charset=utf-8")

  /// The icon: a buoy.
  private static let icon = File(
    String(decoding: PackageResources.icon_svg, as: UTF8.self), end: "svg", type: "image/svg+xml")

  static var stylePath: String { style.path }
  static var scriptPath: String { script.path }
  static var iconPath: String { icon.path }

  static func add(to router: inout Router) {
    for file in [style, script, icon] {
      router.get(file.path, middleware: [ContentCodings()]) { _ in
        .bytes(
          file.bytes, type: file.type,
          headers: [
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
          ])
      }
    }
  }
}
