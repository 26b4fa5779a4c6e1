import { describeBoth } from './compare.ts';

describeBoth('2.1.197');
