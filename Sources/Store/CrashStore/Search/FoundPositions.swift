internal import Segments

/// Reports that a scan found, for reading them again.
struct FoundPositions {
  private(set) var segments: [(part: SearchSegments.Part, rows: RowSet)] = []
  private(set) var chunks: [(number: Int, positions: ChunkPositions)] = []

  mutating func add(_ rows: RowSet, of part: SearchSegments.Part) { segments.append((part, rows)) }

  mutating func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
    add(positions.trimmed(), ofChunk: chunk.number)
  }

  mutating func add(_ positions: ChunkPositions, ofChunk number: Int) {
    chunks.append((number, positions))
  }
}
