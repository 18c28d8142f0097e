internal import CCMark
internal import Glibc

/// Texts in Markdown as HTML for a page: what a stranger wrote brings no scripts, pictures or addresses but
/// those of the web and of mail.
///
/// Source: CommonMark 0.30.
public enum CommonMark {
  /// The HTML of a text.
  ///
  /// HTML in the text is left out. Pictures become their descriptions, since a page would load them from
  /// anywhere. Headings begin at the given level.
  ///
  /// - Parameters:
  ///   - text: Markdown. All of it is read: callers bound its size.
  ///   - level: The level of the highest heading, 1 to 6.
  /// - Complexity: O(*n*) in the text for most, O(*n*²) for some hostile ones.
  public static func html(of text: String, headingsFrom level: Int = 3) -> String {
    guard let document = parsed(text) else { return "" }
    defer { cmark_node_free(document) }
    clean(document, Int32(level))
    // Single line ends stay: notes are written as lists of changes.
    guard let html = cmark_render_html(document, CMARK_OPT_HARDBREAKS) else { return "" }
    defer { free(html) }
    return String(cString: html)
  }

  private static func parsed(_ text: String) -> OpaquePointer? {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return nil }
        return cmark_parse_document(start, characters.count, CMARK_OPT_DEFAULT)
      }
    }
  }

  private static func clean(_ document: OpaquePointer, _ level: Int32) {
    guard let walk = cmark_iter_new(document) else { return }
    defer { cmark_iter_free(walk) }
    while true {
      let event = cmark_iter_next(walk)
      if event == CMARK_EVENT_DONE { return }
      guard let node = cmark_iter_get_node(walk) else { continue }
      switch (cmark_node_get_type(node), event) {
      case (CMARK_NODE_HEADING, CMARK_EVENT_ENTER):
        cmark_node_set_heading_level(node, min(cmark_node_get_heading_level(node) + level - 1, 6))
      case (CMARK_NODE_IMAGE, CMARK_EVENT_EXIT): unwrap(node)
      case (CMARK_NODE_LINK, CMARK_EVENT_EXIT) where !leadsToWeb(node): unwrap(node)
      case (CMARK_NODE_HTML_BLOCK, CMARK_EVENT_ENTER), (CMARK_NODE_HTML_INLINE, CMARK_EVENT_ENTER):
        remove(node)
      default: break
      }
    }
  }

  private static func leadsToWeb(_ link: OpaquePointer) -> Bool {
    guard let url = cmark_node_get_url(link) else { return false }
    let address = String(cString: url).lowercased()
    return ["https://", "http://", "mailto:"].contains { address.hasPrefix($0) }
  }

  /// Puts the children of a node in its place.
  private static func unwrap(_ node: OpaquePointer) {
    while let child = cmark_node_first_child(node) { cmark_node_insert_before(node, child) }
    remove(node)
  }

  private static func remove(_ node: OpaquePointer) {
    cmark_node_unlink(node)
    cmark_node_free(node)
  }
}
