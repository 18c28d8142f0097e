package import CrashModel
internal import CrashService

/// The source lines around a frame, on a page.
package struct SourceExcerptPart {
  package let excerpt: SourceExcerpt
  /// The frame's line.
  package let line: Int?

  package init(excerpt: SourceExcerpt, line: Int?) {
    self.excerpt = excerpt
    self.line = line
  }

  package var list: HTML {
    let items = excerpt.lines.enumerated().map { index, text -> HTML in
      let number = excerpt.first + index
      let mark: HTML = number == line ? " class=\"here\"" : .none
      return "<li\(mark) value=\"\(number)\"><code>\(text)</code></li>"
    }
    return "<ol class=\"source\">\(items)</ol>"
  }
}
