//! The normal form against plain integers: random expressions, built by the rules and computed beside them.

use super::*;
use crate::evaluate::Evaluation;
use crate::random::Random;

const VALUES: usize = 6;

/// A term and its values.
#[derive(Clone)]
struct Pair(Term, [u64; VALUES]);

/// An expression that grows by random operations on random terms of before.
struct Expression {
    random: Random,
    inputs: Vec<Pair>,
    pool: Vec<Pair>,
}

impl Expression {
    fn new(seed: u64) -> Self {
        forget();
        let mut random = Random::new(seed);
        let mut inputs = Vec::new();
        for index in 0..4 {
            let width = random.pick(&[1, 8, 16, 32, 64]);
            let values = std::array::from_fn(|_| random.edge(width));
            inputs.push(Pair(variable(width, "v", index), values));
        }
        let mut pool = inputs.clone();
        for _ in 0..3 {
            let width = random.pick(&[8, 16, 32, 64]);
            let any = random.edge(width);
            let value = random.pick(&[any, 0xff, 1]) & mask(width);
            pool.push(Pair(constant(width, value), [value; VALUES]));
        }
        Self {
            random,
            inputs,
            pool,
        }
    }

    /// Returns a random term; often one of the latest.
    fn any(&mut self) -> Pair {
        let latest = self.pool.len().saturating_sub(8);
        let from = if self.random.below(10) < 7 { latest } else { 0 };
        let at = from + self.random.below((self.pool.len() - from) as u64) as usize;
        self.pool[at].clone()
    }

    /// Returns a random term of a width.
    fn of_width(&mut self, width: u32) -> Option<Pair> {
        let same: Vec<_> = self.pool.iter().filter(|p| p.0.width() == width).collect();
        let at = self.random.below(same.len().max(1) as u64) as usize;
        same.get(at).map(|pair| (*pair).clone())
    }

    fn grow(&mut self) {
        let Pair(x, xs) = self.any();
        let width = x.width();
        let [Pair(y, ys), Pair(z, zs)] = [0, 1].map(|_| self.of_width(width).unwrap());
        let ones = mask(width);
        let s = |value: u64| signed(value, width);
        let one = |f: &dyn Fn(u64) -> u64| xs.map(|x| f(x) & ones);
        let two = |f: &dyn Fn(u64, u64) -> u64| std::array::from_fn(|i| f(xs[i], ys[i]) & ones);
        let bit = |f: &dyn Fn(u64, u64) -> bool| std::array::from_fn(|i| f(xs[i], ys[i]).into());
        let by = self.random.below(width.into()) as u32;
        let pair = match self.random.below(27) {
            0 | 1 => {
                let (low, part) = if self.random.below(2) == 0 && width > 8 {
                    (self.random.pick(&[0, width / 2]), width / 2)
                } else {
                    (by, 1 + self.random.below(u64::from(width - by)) as u32)
                };
                Pair(x.slice(low, part), xs.map(|x| x >> low & mask(part)))
            }
            2 | 3 => {
                let Pair(high, values) = self.any();
                if width + high.width() > 64 {
                    return;
                }
                let values = std::array::from_fn(|i| xs[i] | values[i] << width);
                Pair(join(&[x, high]), values)
            }
            4 => Pair(
                x.rotate_left(by),
                one(&|x| {
                    if by == 0 {
                        x
                    } else {
                        x << by | x >> (width - by)
                    }
                }),
            ),
            5 | 6 => {
                let wider = [8, 16, 32, 64].into_iter().filter(|wider| *wider >= width);
                let wider = self.random.pick(&wider.collect::<Vec<_>>());
                if self.random.below(2) == 0 {
                    Pair(x.zero_extend(wider), xs)
                } else {
                    let values = xs.map(|x| s(x) as u64 & mask(wider));
                    Pair(x.sign_extend(wider), values)
                }
            }
            7 => Pair(x.shift_left(by), one(&|x| x << by)),
            8 => Pair(x.shift_right(by), one(&|x| x >> by)),
            9 => Pair(x.shift_right_signed(by), one(&|x| (s(x) >> by) as u64)),
            10 => Pair(x.plus(y), two(&u64::wrapping_add)),
            11 => Pair(x.minus(y), two(&u64::wrapping_sub)),
            12 => Pair(x.multiply(y), two(&u64::wrapping_mul)),
            13 => {
                let any = self.random.edge(width);
                let c = self.random.pick(&[any, 1 << by, ones]);
                let values = two(&|x, y| {
                    let x = x.wrapping_mul(c).wrapping_add(y.wrapping_mul(3));
                    x.wrapping_add(c)
                });
                Pair(sum(width, [(x, c), (y, 3)], c), values)
            }
            14 => Pair(x.and(y), two(&|x, y| x & y)),
            15 => Pair(x.or(y), two(&|x, y| x | y)),
            16 => Pair(x.xor(y), two(&|x, y| x ^ y)),
            17 => Pair(x.not(), one(&|x| !x)),
            18 => Pair(x.and_not(y), two(&|x, y| !x & y)),
            19 | 20 => {
                let table = self.random.below(256) as u8;
                let of = |x: u64, y: u64, z: u64, bit: u32| {
                    let at = (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
                    u64::from(table >> at & 1) << bit
                };
                let values = std::array::from_fn(|i| {
                    (0..width).fold(0, |all, bit| all | of(xs[i], ys[i], zs[i], bit))
                });
                Pair(ternary(table, x, y, z), values)
            }
            21 => Pair(x.equals(y), bit(&|x, y| x == y)),
            22 => Pair(x.below(y), bit(&|x, y| x < y)),
            23 => Pair(x.less(y), bit(&|x, y| s(x) < s(y))),
            24 => {
                let Some(Pair(condition, values)) = self.of_width(1) else {
                    return;
                };
                let values = std::array::from_fn(|i| if values[i] == 1 { xs[i] } else { ys[i] });
                Pair(choose(condition, x, y), values)
            }
            26 if width == 64 => {
                let factor = self.random.edge(52);
                let low = x.slice(0, 52);
                let values = xs.map(|x| {
                    let product = u128::from(x & mask(52)) * u128::from(factor);
                    (product >> 52) as u64
                });
                Pair(low.multiply_high_52(factor), values)
            }
            _ if width == 32 => {
                let factor = (self.random.next() as i32).max(-i32::MAX);
                let by = Barrett {
                    zeta: self.random.next() as i32,
                    factor,
                    q: 8_380_417,
                };
                let high = |x: u64| {
                    let twice = 2 * i128::from(s(x)) * i128::from(factor) + (1 << 31);
                    (twice >> 32) as u64
                };
                if self.random.below(2) == 0 {
                    Pair(x.doubling_high(factor), one(&high))
                } else {
                    let zeta = by.zeta as u64;
                    let values = one(&|x| {
                        x.wrapping_mul(zeta)
                            .wrapping_sub(high(x).wrapping_mul(by.q as u64))
                    });
                    Pair(x.barrett(by), values)
                }
            }
            _ => Pair(x.absolute(), one(&|x| s(x).unsigned_abs())),
        };
        self.pool.push(pair);
    }

    fn check(&self) {
        let terms: Vec<_> = self.pool.iter().map(|pair| pair.0).collect();
        let input = |name: Name| self.inputs[name.index as usize].1.to_vec();
        let columns = Evaluation::of(&terms).run(VALUES, input);
        for (Pair(term, values), column) in self.pool.iter().zip(columns) {
            assert_eq!(column, values, "{term}");
            let (low, high) = term.range();
            for value in values {
                let value = signed(*value, term.width());
                assert!(low <= value && value <= high, "{term}: {low} {high}");
            }
        }
        // A renaming to the same names must change nothing.
        let mut same = Renaming::new(|name| self.inputs[name.index as usize].0);
        let renamed: Vec<_> = terms.iter().map(|term| same.apply(*term)).collect();
        let columns = Evaluation::of(&renamed).run(VALUES, input);
        for (Pair(term, values), column) in self.pool.iter().zip(columns) {
            assert_eq!(column, values, "{term}, built again");
        }
    }
}

#[test]
fn random_terms_have_the_values_of_plain_integers() {
    for seed in 0..20_000 {
        let mut expression = Expression::new(seed);
        for _ in 0..5 + seed % 40 {
            expression.grow();
        }
        expression.check();
    }
}
