internal import Bytes

/// Where the block of each page lies: the sections of spans and pages.
struct PageTable: ~Copyable {
  var spans = Table<UInt8>()
  var pages = Table<UInt8>()
  private var last: BlockWriter.Page?

  /// - Parameter parts: The blocks, in the order of the pages.
  init(_ parts: [BlockPart]) {
    var start: UInt32 = 0
    for part in parts {
      for index in 0..<part.pages.count {
        let page = part.pages[index]
        add(BlockWriter.Page(number: page.number, block: page.block &+ start))
      }
      start &+= UInt32(truncatingIfNeeded: part.blocks.count)
    }
    spans.put(UInt32.max)
    spans.put(UInt32(truncatingIfNeeded: pages.count / 4))
  }

  private mutating func add(_ page: BlockWriter.Page) {
    let empty = last.map { page.number &- $0.number &- 1 } ?? .max
    if let last, empty <= SymbolCacheFormat.emptyPages {
      for _ in 0..<empty { pages.put(last.block | SymbolCacheFormat.emptyPage) }
    } else {
      spans.put(page.number &<< SymbolCacheFormat.pageBits)
      spans.put(UInt32(truncatingIfNeeded: pages.count / 4))
    }
    pages.put(page.block)
    last = page
  }
}

/// The blocks that one thread wrote.
final class BlockPart: Sendable {
  let pages: Table<BlockWriter.Page>
  let blocks: ByteView

  init(_ writer: consuming BlockWriter) {
    pages = writer.pages
    blocks = ByteView(taking: writer.blocks)
  }
}
