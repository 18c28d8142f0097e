//! A program full of generics and iterators, for its debug information.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

trait Shape {
    fn area(&self, scale: u64) -> u64;
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Berth<T, const N: usize> {
    name: String,
    loads: [T; N],
}

impl<T: Copy + Into<u64>, const N: usize> Shape for Berth<T, N> {
    fn area(&self, scale: u64) -> u64 {
        self.loads.iter().map(|&load| load.into()).fold(scale, |sum, load| sum.wrapping_mul(31).wrapping_add(load))
    }
}

fn ranked<K: Ord + Clone + Debug, V: Ord + Clone>(map: &HashMap<K, V>) -> Vec<(V, K)>
where
    K: std::hash::Hash,
{
    let mut list: Vec<(V, K)> = map.iter().map(|(key, value)| (value.clone(), key.clone())).collect();
    list.sort_by(|a, b| b.cmp(a));
    list
}

macro_rules! harbours {
    ($($name:ident $type:ty, $count:literal;)*) => {
        $(#[inline(never)]
        fn $name(seed: u64) -> u64 {
            let berths: Vec<Berth<$type, $count>> = (0..seed % 97)
                .map(|n| Berth { name: format!("{}-{n}", stringify!($name)), loads: [(n as u8 & 0x7f) as $type; $count] })
                .collect();
            let mut by_name: BTreeMap<String, Vec<&Berth<$type, $count>>> = BTreeMap::new();
            for berth in &berths {
                by_name.entry(berth.name.chars().rev().take(2).collect()).or_default().push(berth);
            }
            let counts: HashMap<String, usize> =
                by_name.iter().map(|(name, list)| (name.clone(), list.len())).collect();
            let best = ranked(&counts).into_iter().next().map(|(count, name)| count + name.len());
            let shapes: Vec<Box<dyn Shape>> =
                berths.into_iter().map(|berth| Box::new(berth) as Box<dyn Shape>).collect();
            shapes.iter().map(|shape| shape.area(seed)).max().unwrap_or(0) + best.unwrap_or(0) as u64
        })*
        fn all(seed: u64) -> u64 {
            [$($name as fn(u64) -> u64),*].iter().map(|harbour| harbour(seed)).fold(0, u64::wrapping_add)
        }
    };
}

harbours! {
    brest u8, 1; cadiz u16, 2; delft u32, 3; emden u64, 4; faro u8, 5; genoa u16, 6; hull u32, 7;
    ibiza u64, 8; jarrow u8, 9; kiel u16, 10; leith u32, 11; malta u64, 12; nantes u8, 13; oslo u16, 14;
    porto u32, 15; riga u64, 16; sines u8, 17; tartu u16, 18; ulm u32, 19; vigo u64, 20;
}

fn main() {
    let seed = std::env::args().count() as u64 * 41;
    let worker = std::thread::spawn(move || all(seed + 1));
    println!("{}", all(seed).wrapping_add(worker.join().unwrap_or(0)));
}
